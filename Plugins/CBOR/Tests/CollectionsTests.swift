import Foundation
import StrataCBOR
import TestSupport
import Testing

/// Arrays, sets, dictionaries and optionals, which are read without a container of `Codable`.
@Suite("CBOR: collections", .endsInTime) struct CollectionsTests {
  private func decode<T: Decodable>(_ type: T.Type, _ hex: String) throws -> T {
    try CBORDecoder().decode(type, from: Data(hex: hex))
  }

  /// Returns the coding path of the error that decoding throws.
  private func path<T: Decodable>(
    _ type: T.Type, _ hex: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let error = try #require(throws: DecodingError.self, sourceLocation: sourceLocation) {
      try decode(type, hex)
    }
    return switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context),
      .keyNotFound(_, let context):
      context.codingPath.map(\.stringValue)
    @unknown default: ["?"]
    }
  }

  @Test("elements of all types are read as JSON's decoder reads them")
  func elements() throws {
    func check<T: Codable & Equatable>(_ value: T, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let json = try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
      let cbor = try CBORDecoder().decode(T.self, from: CBOREncoder().encode(value))
      #expect(cbor == json && cbor == value, sourceLocation: sourceLocation)
    }
    try check([Int8.min, 0, .max])
    try check([Int16.min, 0, .max])
    try check([Int32.min, 0, .max])
    try check([Int64.min, 0, .max])
    try check([UInt(0), .max])
    try check([[UInt8]]([[], [0, 255]]))
    try check([UInt16(0), .max])
    try check([UInt32(0), .max])
    try check([UInt64(0), .max])
    try check([Float(1.5), -0.1, .greatestFiniteMagnitude])
    try check([true, false])
    try check([Date(timeIntervalSinceReferenceDate: 0.5)])
    try check([Data([1, 2]), Data()])
    try check([Decimal(string: "3.25"), nil])
    try check([UUID(), UUID()])
    try check([try #require(URL(string: "https://example.com/é?a=b"))])
    try check([Set(["a", "b"]), []])
    try check([["a": [1: ["b": [true, nil]]]], [:]])
    try check([["a": nil, "b": 1]] as [[String: Int?]])
    try check([Colour.red: [1.5]])
    try check([Point(x: 1, y: 2): [Shape.circle(radius: 1), .wrapped(.empty)]])
    try check((0..<3000).map { [Point(x: $0, y: -$0)] })
    try check(Dictionary(uniqueKeysWithValues: (0..<3000).map { ($0 - 1500, "\($0)") }))
    try check(Set((0..<3000).map { Point(x: $0, y: 1) }))
  }

  @Test("whole numbers are keys of dictionaries with texts or numbers as keys, also negative and large ones")
  func numbers() throws {
    // {5: 1, -3: 2, "-4": 3}
    let map = "a30501220262" + "2d3403"
    #expect(try decode([Int: Int].self, map) == [5: 1, -3: 2, -4: 3])
    #expect(try decode([String: Int].self, map) == ["5": 1, "-3": 2, "-4": 3])
    // {2^64-1: "a", -2^64: "b"}
    let large = "a21bffffffffffffffff61613bffffffffffffffff6162"
    #expect(
      try decode([String: String].self, large) == [
        "18446744073709551615": "a", "-18446744073709551616": "b",
      ])
    #expect(throws: DecodingError.self) { try decode([Int: String].self, large) }
  }

  @Test("of two equal keys of a dictionary the first counts, and the value of the other may be of any type")
  func repeated() throws {
    #expect(try decode([String: Int].self, "a3616101616202616178" + "0178") == ["a": 1, "b": 2])
    #expect(try decode([String: String].self, "a36161617861626179616105") == ["a": "x", "b": "y"])
    #expect(try decode([String: [Int]].self, "a36161810161628102616180") == ["a": [1], "b": [2]])
    #expect(try decode([Int: String].self, "a3016161613161620162" + "6363") == [1: "a"])
    // The second of two equal keys has a longer head than necessary.
    #expect(try decode([String: Int].self, "a26161017801" + "6102") == ["a": 1])
  }

  @Test("a key that is no text and no whole number is refused, in the dictionary's own path")
  func otherKeys() throws {
    for key in ["f6", "f5", "4161", "80", "f93c00", "c06161"] {
      #expect(try path([String: Int].self, "a2616101" + key + "02").count == 1)
      #expect(try path([String: String].self, "a2616161" + "62" + key + "6163").count == 1)
      #expect(try path([Int: Int].self, "a20101" + key + "02").count == 1)
    }
    #expect(try path([Int: Int].self, "a20101616102") == ["a"])
    #expect(try path([String: Int].self, "a26161016" + "1ff02").count == 1)
  }

  @Test("errors have the path of the element, also behind elements that were containers themselves")
  func paths() throws {
    #expect(try path([[Int]].self, "8281018261" + "6102") == ["Index 1", "Index 0"])
    #expect(try path([String: [Bool]].self, "a26161816" + "1" + "786162" + "80") == ["a", "Index 0"])
    #expect(try path([Int: [Int]].self, "a2058101078201f5") == ["7", "Index 1"])
    #expect(try path([Int?].self, "8301f66161") == ["Index 2"])
    #expect(try path(Set<Int>.self, "830102f5") == ["Index 2"])
    #expect(try path([Point].self, "82a2617801617902a2617801" + "617a02") == ["Index 1"])
    #expect(try path([[String: Point]].self, "81a26161a26178016179026162a1617801") == ["Index 0", "b"])
    #expect(try path([[Int8]].self, "81820119012c") == ["Index 0", "Index 1"])
    #expect(try path([[Int]].self, "820" + "1" + "80") == ["Index 0"])
    #expect(try path([UUID].self, "8141ff") == ["Index 0"])
    #expect(try path([Int].self, "a0") == [])
    #expect(try path([String: Int].self, "80") == [])
  }

  @Test("what follows an element of a collection is found, however the element was read")
  func following() throws {
    /// Reads a part of an array, or nothing.
    struct Part: Decodable {
      var first: Int?

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        if container.count != 3 { first = try container.decodeIfPresent(Int.self) }
      }
    }
    let list = try decode([Part].self, "84" + "820102" + "83010203" + "820405" + "8107")
    #expect(list.map(\.first) == [1, nil, 4, 7])
    let map = try decode([String: Part].self, "a3" + "6161820102" + "616283010203" + "61638104")
    #expect(map.mapValues(\.first) == ["a": 1, "b": nil, "c": 4])
  }

  @Test("a short input that claims many elements takes little memory")
  func claims() throws {
    // 200 000 elements of one byte each, of which the first is wrong already. In memory, an element takes 96 bytes.
    struct Large: Decodable { var a = "", b = "", c = "", d = "", e = "", f = "" }
    let bytes = Data([0x9a, 0, 3, 0x0d, 0x40]) + Data(count: 200_000)
    #expect(throws: DecodingError.self) { try CBORDecoder().decode([Large].self, from: bytes) }
    #expect(throws: DecodingError.self) { try CBORDecoder().decode([[[[Large]]]].self, from: bytes) }
  }
}
