import Foundation
import StrataCBOR
import TestSupport
import Testing

/// Maps whose keys are in another order than the type requests them, unknown, repeated, null or missing.
@Suite("CBOR: fields of a map in any order", .endsInTime) struct FieldsTests {
  /// Requests its fields in the order of `userInfo`.
  private struct Fields: Decodable, Equatable {
    var id = 0
    var name = ""
    var score: Double?
    var tags: [String]?
    var point = Point(x: 0, y: 0)
    var counts: [String: Int] = [:]

    enum Keys: String, CodingKey, CaseIterable { case id, name, score, tags, point, counts }

    static let order: CodingUserInfoKey = {
      guard let key = CodingUserInfoKey(rawValue: "order") else { preconditionFailure("a name is a key") }
      return key
    }()

    init() {}

    init(from decoder: any Decoder) throws {
      let map = try decoder.container(keyedBy: Keys.self)
      for key in try #require(decoder.userInfo[Self.order] as? [Keys]) {
        switch key {
        case .id: id = try map.decode(Int.self, forKey: key)
        case .name: name = try map.decode(String.self, forKey: key)
        case .score: score = try map.decodeIfPresent(Double.self, forKey: key)
        case .tags: tags = try map.decodeIfPresent([String].self, forKey: key)
        case .point: point = try map.decode(Point.self, forKey: key)
        case .counts: counts = try map.decode([String: Int].self, forKey: key)
        }
      }
    }
  }

  /// Returns a map of pairs as they are, with repeated keys.
  private func map(_ pairs: [(String, Data)]) throws -> Data {
    try pairs.reduce(into: Data([0xb8, UInt8(pairs.count)])) { bytes, pair in
      bytes += try CBOREncoder().encode(pair.0) + pair.1
    }
  }

  /// Returns the bytes of a random value of a field, and puts the value into `fields`.
  private func value(
    of key: Fields.Keys, in fields: inout Fields, _ generator: inout SeededGenerator
  ) throws -> Data {
    let number = Int.random(in: 0..<100_000, using: &generator)
    let isNull = number.isMultiple(of: 3)
    switch key {
    case .id: fields.id = number
    case .name: fields.name = String(repeating: "é", count: number % 30)
    case .score: fields.score = isNull ? nil : Double(number) / 7
    case .tags: fields.tags = isNull ? nil : ["a", "\(number)"]
    case .point: fields.point = Point(x: number, y: -number)
    case .counts: fields.counts = ["a": number, "b": 1]
    }
    return switch key {
    case .id: try CBOREncoder().encode(fields.id)
    case .name: try CBOREncoder().encode(fields.name)
    case .score: try CBOREncoder().encode(fields.score)
    case .tags: try CBOREncoder().encode(fields.tags)
    case .point: try CBOREncoder().encode(fields.point)
    case .counts: try CBOREncoder().encode(fields.counts)
    }
  }

  @Test(
    "the first value of each key counts, in whatever order keys are written and requested", arguments: 0..<8)
  func orders(_ series: Int) throws {
    var generator = SeededGenerator(seed: UInt64(series))
    for _ in 0..<300 {
      var (pairs, missing): ([(String, Data)], Set<Fields.Keys>) = ([], [])
      var expected = Fields()
      for key in Fields.Keys.allCases {
        if Int.random(in: 0..<12, using: &generator) == 0 {
          missing.insert(key)
          continue
        }
        pairs.append((key.rawValue, try value(of: key, in: &expected, &generator)))
      }
      pairs.shuffle(using: &generator)
      // A later pair with the same key does not count, and unknown keys are skipped.
      for _ in 0..<Int.random(in: 0..<4, using: &generator) {
        if let (key, _) = pairs.randomElement(using: &generator), let field = Fields.Keys(rawValue: key) {
          var other = Fields()
          pairs.append((key, try value(of: field, in: &other, &generator)))
        }
        let unknown = try CBOREncoder().encode([["x": [1, 2]], ["id": [3]]])
        let place = Int.random(in: 0...pairs.count, using: &generator)
        pairs.insert(("unknown \(place % 3)", unknown), at: place)
      }
      let order = Fields.Keys.allCases.shuffled(using: &generator)
      var decoder = CBORDecoder()
      decoder.userInfo[Fields.order] = order
      // As an element, so that the path of an error has two keys.
      let bytes = Data([0x82, 0x00]) + (try map(pairs))
      do {
        let read = try decoder.decode(Second<Fields>.self, from: bytes).value
        #expect(read == expected && missing.isSubset(of: [.score, .tags]), "series \(series)")
      } catch DecodingError.keyNotFound(let key, let context) {
        #expect(
          key.stringValue == order.first { missing.contains($0) && ![.score, .tags].contains($0) }?.rawValue)
        #expect(context.codingPath.map(\.stringValue) == ["Index 1"])
      }
    }
  }

  @Test("a key can be requested again, and after the map was read as a dictionary")
  func again() throws {
    struct Twice: Decodable {
      var seen: [Int] = []

      init(from decoder: any Decoder) throws {
        let map = try decoder.container(keyedBy: Name.self)
        func read(_ key: String) throws -> Int { try map.decode(Int.self, forKey: Name(stringValue: key)) }
        seen += [try read("b"), try read("b"), try read("a"), try read("c"), try read("a")]
        seen.append(try decoder.singleValueContainer().decode([String: Int].self).count)
        seen += [try read("c"), try read("a"), try read("b")]
        let other = try decoder.container(keyedBy: Name.self)
        seen.append(try other.decode(Int.self, forKey: Name(stringValue: "a")))
        #expect(!map.contains(Name(stringValue: "d")) && other.contains(Name(stringValue: "b")))
      }
    }
    let bytes = Data(hex: "a3616101616202616303")
    #expect(try CBORDecoder().decode(Twice.self, from: bytes).seen == [2, 2, 1, 3, 1, 3, 3, 1, 2, 1])
    #expect(
      try CBORDecoder().decode([Twice].self, from: Data([0x82]) + bytes + bytes).map(\.seen.count) == [
        10, 10,
      ])
  }

  @Test("threads that decode types for the first time at the same time read the same")
  func threads() async throws {
    let bytes = try CBOREncoder().encode([Person.ada])
    let numbers = try CBOREncoder().encode([1: [2: [3: [4.5]]]])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await onThread { () throws in
            for _ in 0..<200 {
              #expect(try CBORDecoder().decode([Person].self, from: bytes) == [.ada])
              #expect(try CBORDecoder().decode(Set<Wrapper<Person>>.self, from: bytes).count == 1)
              #expect(
                try CBORDecoder().decode([Int: [Int: [Int: [Float]]]].self, from: numbers)
                  == [1: [2: [3: [4.5]]]])
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// The second element of an array.
private struct Second<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    _ = try container.decode(Int.self)
    value = try container.decode(Value.self)
  }
}

/// A generic type, of which a program can have any number.
private struct Wrapper<Value: Decodable>: Decodable, Hashable {
  let name: String

  init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: Name.self).decode(String.self, forKey: Name(stringValue: "name"))
  }
}
