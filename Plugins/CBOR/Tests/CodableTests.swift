import Foundation
import StrataCBOR
import TestSupport
import Testing

/// Features of `Codable` that an encoder which writes its output in one pass can get wrong.
@Suite("CBOR and Codable", .endsInTime) struct CodableTests {
  private func roundTrip<T: Codable & Equatable>(
    _ value: T, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = try CBOREncoder().encode(value)
    #expect(try CBORDecoder().decode(T.self, from: bytes) == value, sourceLocation: sourceLocation)
    var deterministic = CBOREncoder()
    deterministic.isDeterministic = true
    deterministic.isSelfDescribed = true
    let sorted = try deterministic.encode(value)
    #expect(sorted.starts(with: [0xd9, 0xd9, 0xf7]))
    #expect(try CBORDecoder().decode(T.self, from: sorted) == value, sourceLocation: sourceLocation)
  }

  @Test("values of the standard library and of Foundation")
  func values() throws {
    try roundTrip(Int8.min)
    try roundTrip(UInt64.max)
    try roundTrip(Int128.min)
    try roundTrip(UInt128.max)
    try roundTrip(Float.leastNonzeroMagnitude)
    try roundTrip(Double.leastNormalMagnitude)
    try roundTrip("")
    try roundTrip(String(repeating: "Größe 水 😀 ", count: 100))
    try roundTrip(try #require(Decimal(string: "-3.14159265358979323846264338327950288419")))
    try roundTrip(Date(timeIntervalSinceReferenceDate: 0.1))
    try roundTrip(UUID())
    try roundTrip(try #require(URL(string: "https://example.com/a?b=c#d")))
    try roundTrip(Data((0..<300).map { UInt8(truncatingIfNeeded: $0) }))
    try roundTrip([UInt8](0..<255))
    try roundTrip([Double.pi, 0, -1])
    try roundTrip(["a", "é", ""])
    try roundTrip(["a": "b", "c": ""])
    try roundTrip([1: "one", -2: "minus two"])
    try roundTrip([Colour.red: 1, .green: 2])
    try roundTrip([Point(x: 1, y: 2): 3])
    try roundTrip(Set([1, 2, 3]))
    try roundTrip(1...5)
    try roundTrip([Int?.some(1), nil, .some(3)])
    try roundTrip(["a": Int?.some(1)])
    try roundTrip([String: [String: [Int]]]())
    try roundTrip(["deep": ["deeper": [1, 2, 3]], "empty": [:]])
  }

  @Test(
    "lengths before and after a head grows", arguments: [23, 24, 255, 256, 65_535, 65_536])
  func lengths(_ count: Int) throws {
    try roundTrip(String(repeating: "a", count: count))
    try roundTrip(Data(count: count))
    // The elements are written one by one, and the count is known only at the end.
    try roundTrip([[Int?.some(1)], (0..<count).map { $0 % 3 == 0 ? nil : $0 }, [nil]])
    guard count <= 256 else { return }
    try roundTrip((0..<count).map { Point(x: $0, y: -$0) })
    try roundTrip(Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", Point(x: $0, y: 1)) }))
  }

  @Test("structs within structs, optional fields, enums with payloads, a class with a superclass")
  func types() throws {
    try roundTrip(Person.ada)
    try roundTrip([Person.ada, Person(name: "Bo", age: nil, friends: [.ada, .ada])])
    try roundTrip([
      Shape.empty, .circle(radius: 1.5), .polygon([Point(x: 1, y: 2)], name: "a"), .wrapped(.empty),
    ])
    try roundTrip(Manager(name: "Ada", team: ["Bo"]))
    try roundTrip(Heir(name: "Ada", title: "Countess"))
  }

  @Test("null, absent values and double optionals are encoded as in JSON")
  func optionals() throws {
    struct Fields: Codable, Equatable {
      var absent: Int?
      var nested: Int??
    }
    try roundTrip(Fields(absent: nil, nested: .some(1)))
    #expect(try CBOREncoder().encode(Fields(absent: nil, nested: nil)).hex == "a0")
    #expect(try CBOREncoder().encode(Fields(absent: nil, nested: .some(nil))).hex == "a1666e6573746564f6")
  }

  @Test("containers written in turn, merged containers, and late encoders for superclasses")
  func interleaved() throws {
    try roundTrip(Turns(first: Array(0..<30), second: Array(100..<140), third: ["a": 1, "b": 2]))
    let merged = try CBOREncoder().encode(Merged())
    #expect(try CBORDecoder().decode([String: Int].self, from: merged) == ["a": 3, "b": 2])
    #expect(
      try CBORDecoder().decode([String: [Int]].self, from: CBOREncoder().encode(LateSuper())) == [
        "super": [1, 2], "after": [9], "other": [7],
      ])
  }

  @Test("an element whose error is caught leaves no bytes")
  func caught() throws {
    let bytes = try CBOREncoder().encode(Forgiving())
    #expect(try CBORDecoder().decode([String: [Int]].self, from: bytes) == ["good": [1, 4], "more": [5]])
  }

  @Test("fields in another order, unknown, repeated or missing")
  func evolution() throws {
    struct New: Codable, Equatable {
      var name: String
      var score: Double
      var note: String?
      var tags = ["none"]

      init(name: String, score: Double) { (self.name, self.score) = (name, score) }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? ["none"]
        note = try container.decodeIfPresent(String.self, forKey: .note)
        score = try container.decode(Double.self, forKey: .score)
        name = try container.decode(String.self, forKey: .name)
      }
    }
    struct Old: Codable {
      var removed = [Point(x: 1, y: 2)]
      var name = "Ada"
      var alsoRemoved = ["a": ["b": 1]]
      var score = 3
    }
    let old = try CBOREncoder().encode(Old())
    #expect(try CBORDecoder().decode(New.self, from: old) == New(name: "Ada", score: 3))
    // {"b": 1, "a": 1, "b": 2, "a": 2}: the first value of a key counts, in whatever order keys are requested.
    let repeated = Data(hex: "a4616201616101616202616102")
    struct B: Decodable { var b: Int, a: Int }
    struct A: Decodable { var a: Int, b: Int }
    let b = try CBORDecoder().decode(B.self, from: repeated)
    let a = try CBORDecoder().decode(A.self, from: repeated)
    #expect(a.a == 1 && a.b == 1 && b.a == 1 && b.b == 1)
    #expect(try CBORDecoder().decode([String: Int].self, from: repeated) == ["a": 1, "b": 1])
  }

  @Test("numbers are read as any type that can represent them, and as no other")
  func widening() throws {
    let decoder = CBORDecoder()
    #expect(try decoder.decode(Double.self, from: CBOREncoder().encode(5)) == 5)
    #expect(try decoder.decode(Int.self, from: CBOREncoder().encode(5.0)) == 5)
    #expect(try decoder.decode(Int64.self, from: CBOREncoder().encode(Int8(-5))) == -5)
    #expect(try decoder.decode(Float.self, from: CBOREncoder().encode(0.1)) == 0.1)
    for bytes in try [CBOREncoder().encode(300), CBOREncoder().encode(1.5), CBOREncoder().encode("5")] {
      #expect(throws: DecodingError.self) { try decoder.decode(UInt8.self, from: bytes) }
    }
    #expect(throws: DecodingError.self) { try decoder.decode(UInt.self, from: CBOREncoder().encode(-1)) }
    #expect(throws: DecodingError.self) {
      try decoder.decode(Double.self, from: CBOREncoder().encode(Int.max))
    }
    #expect(throws: DecodingError.self) { try decoder.decode(Float.self, from: CBOREncoder().encode(1e300)) }
  }

  @Test("types receive userInfo; a retained decoder works after the input was released")
  func contexts() throws {
    var encoder = CBOREncoder()
    encoder.userInfo[Contextual.key] = "in"
    var decoder = CBORDecoder()
    decoder.userInfo[Contextual.key] = "out"
    #expect(try decoder.decode(Contextual.self, from: encoder.encode(Contextual())).seen == "in out")
    let kept = try CBORDecoder().decode(Deferred.self, from: CBOREncoder().encode(["a": [1, 2, 3]]))
    _ = try (0..<100).map { try CBOREncoder().encode(["overwrites": $0]) }
    #expect(try kept.container.decode([Int].self, forKey: .a) == [1, 2, 3])
  }

  @Test("a retained container is refused once its value is complete")
  func late() throws {
    let hoarder = Hoarder()
    _ = try CBOREncoder().encode(hoarder)
    #expect(throws: EncodingError.self) {
      var container = try #require(hoarder.container)
      try container.encode(1, forKey: .a)
    }
    #expect(throws: EncodingError.self) { try CBOREncoder().encode(Twice()) }
  }

  @Test("errors have the coding path")
  func paths() throws {
    let bytes = try CBOREncoder().encode(["people": [["name": "Ada"], ["name": "Bo"]]])
    struct Broken: Decodable {
      struct One: Decodable { var name: Int }
      var people: [One]
    }
    let error = #expect(throws: DecodingError.self) { try CBORDecoder().decode(Broken.self, from: bytes) }
    guard case .typeMismatch(_, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["people", "Index 0", "name"])
    #expect(context.debugDescription == "expected Int, but found a text")
    let failing = #expect(throws: EncodingError.self) { try CBOREncoder().encode(["a": [Failing()]]) }
    guard case .invalidValue(_, let place)? = failing else {
      Issue.record("\(String(describing: failing))")
      return
    }
    #expect(place.codingPath.map(\.stringValue) == ["a", "Index 0", "field"])
  }
}
