import Foundation
import StrataCBOR
import TestSupport
import Testing

/// Malicious input.
@Suite("Malicious CBOR", .endsInTime) struct HostileTests {
  @Test(
    "bytes that are not well-formed are refused, with the offset of the fault",
    arguments: [
      ("", "no bytes"), ("18", "middle of a head"), ("1a0102", "middle of a head"), ("8201", "2 elements"),
      ("a101", "1 elements"), ("6261", "string of 2 bytes"), ("1c", "begins no item"),
      ("1f", "begins no item"),
      ("ff", "stop byte"), ("81ff", "stop byte"), ("bf01ff", "key without a value"), ("0102", "follow"),
      ("5f6161ff", "another type"), ("7f4161ff", "another type"), ("9f01", "where an item"),
      ("f801", "two bytes"),
      ("c0", "not followed by an item"), ("fb00", "middle of a head"),
    ])
  func malformed(_ hex: String, _ reason: String) throws {
    let error = #expect(throws: DecodingError.self) {
      try CBORDecoder().decode(Ignoring.self, from: Data(hex: hex))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("at byte"))
    #expect(context.debugDescription.contains(reason), "\(context.debugDescription)")
  }

  @Test(
    "a length beyond the input is refused before memory is taken for it",
    arguments: [
      "5bffffffffffffffff", "7b7fffffffffffffff", "9bffffffffffffffff", "bb7fffffffffffffff", "9a7fffffff01",
    ])
  func bombs(_ hex: String) throws {
    #expect(throws: DecodingError.self) { try CBORDecoder().decode([String].self, from: Data(hex: hex)) }
    #expect(throws: DecodingError.self) { try CBORDecoder().decode(Data.self, from: Data(hex: hex)) }
  }

  @Test("nesting is limited to 512 levels, also on a thread with a small stack")
  func depth() async throws {
    @Sendable func nested(_ levels: Int) -> Data { Data(repeating: 0x81, count: levels) + Data([0x80]) }
    // The short check of usual inputs ends at 256 levels.
    for levels in [255, 256, 257, 511] {
      #expect(throws: Never.self) { try CBORDecoder().decode(Ignoring.self, from: nested(levels)) }
      #expect(throws: DecodingError.self) {
        try CBORDecoder().decode(Ignoring.self, from: nested(levels) + [0])
      }
    }
    for levels in [512, 513, 1_000_000] {
      #expect(throws: DecodingError.self) { try CBORDecoder().decode(Ignoring.self, from: nested(levels)) }
    }
    try await onThread {
      let tree = try CBORDecoder().decode(Tree.self, from: nested(511))
      #expect(try CBOREncoder().encode(tree) == nested(511))
      #expect(throws: EncodingError.self) {
        try CBOREncoder().encode(Tree(children: [Tree(children: [tree])]))
      }
    }
  }

  @Test(
    "a text that is not UTF-8 is refused, not repaired",
    arguments: ["61ff", "62c328", "63eda080", "64f4908080"])
  func texts(_ hex: String) throws {
    #expect(throws: DecodingError.self) { try CBORDecoder().decode(String.self, from: Data(hex: hex)) }
  }

  @Test("damaged input is decoded or refused, and never crashes", arguments: 0..<4)
  func damage(_ series: Int) throws {
    var generator = SeededGenerator(seed: UInt64(series))
    let whole = try CBOREncoder().encode([
      Person.ada, Person(name: "Größe", age: 300, friends: [.ada, .ada]),
    ])
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        }
      }
      do {
        let read = try CBORDecoder().decode([Person].self, from: bytes)
        // A decoded value can be encoded like any other.
        #expect(try CBORDecoder().decode([Person].self, from: CBOREncoder().encode(read)) == read)
      } catch is DecodingError {}
    }
  }
}

/// Accepts any item, and reads nothing of it.
private struct Ignoring: Decodable {
  init(from decoder: any Decoder) throws {}
}

private struct Tree: Codable {
  var children: [Tree]

  init(children: [Tree]) { self.children = children }

  init(from decoder: any Decoder) throws {
    var (container, children): (any UnkeyedDecodingContainer, [Tree]) = (try decoder.unkeyedContainer(), [])
    while !container.isAtEnd { children.append(try container.decode(Tree.self)) }
    self.children = children
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for child in children { try container.encode(child) }
  }
}
