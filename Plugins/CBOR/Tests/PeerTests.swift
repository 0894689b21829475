import Foundation
import StrataCBOR
import TestSupport
import Testing

/// Exchanges data with another implementation: Python's cbor2.
@Suite("CBOR and cbor2", .endsInTime) struct PeerTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Vectors/cbor2_peer.py"
  ).path
  private static let hasPeer = Python.has("cbor2")

  /// Returns the value that cbor2 decoded from each item, and the bytes that it encoded again.
  private func answers(to items: [Data]) throws -> [(shown: String, bytes: Data)] {
    let (end, printed) = try Program.run([Python.path, Self.script] + items.map(\.hex))
    let text = String(decoding: printed, as: UTF8.self)
    try #require(end == .exit(0), "\(text)")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return items.indices.map { (String(lines[2 * $0]), Data(hex: String(lines[2 * $0 + 1]))) }
  }

  @Test("cbor2 reads Strata's output", .enabled(if: hasPeer, "python3-cbor2 is not installed"))
  func read() throws {
    let encoder = CBOREncoder()
    let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let items = try [
      encoder.encode(["a": [1, -2, 300], "b": []]), encoder.encode(Person.ada), encoder.encode("Größe 水"),
      encoder.encode(Data([0, 255])), encoder.encode([1.5, 0.1, -.infinity]),
      encoder.encode([true, nil, false]),
      encoder.encode(Int128(UInt64.max) + 1), encoder.encode(id), encoder.encode(Shape.circle(radius: 2)),
    ]
    let shown = try answers(to: items).map(\.shown)
    #expect(Set(["{'a': [1, -2, 300], 'b': []}", "{'b': [], 'a': [1, -2, 300]}"]).contains(shown[0]))
    #expect(
      Array(shown[1...]) == [
        "{'name': 'Ada', 'age': 36, 'friends': [{'name': 'Charles', 'friends': []}]}",
        #"'Gr\xf6\xdfe \u6c34'"#,
        #"b'\x00\xff'"#, "[1.5, 0.1, -inf]", "[True, None, False]", "18446744073709551616",
        "UUID('00112233-4455-6677-8899-aabbccddeeff')", "{'circle': {'radius': 2.0}}",
      ])
  }

  @Test(
    "Strata reads cbor2's output, and writes the same bytes with sorted keys",
    .enabled(if: hasPeer, "python3-cbor2 is not installed"), arguments: 0..<3)
  func write(_ series: Int) throws {
    var generator = SeededGenerator(seed: UInt64(series))
    var encoder = CBOREncoder()
    encoder.isDeterministic = true
    let values = (0..<15).map { _ in RandomItem.make(depth: 4, using: &generator) }
    let items = try values.map { try encoder.encode($0) }
    for (value, (item, answer)) in zip(values, zip(items, try answers(to: items))) {
      #expect(answer.bytes.hex == item.hex, "\(value)")
      #expect(try CBORDecoder().decode(RandomItem.self, from: answer.bytes) == value)
      #expect(try CBORDecoder().decode(RandomItem.self, from: CBOREncoder().encode(value)) == value)
    }
  }
}

/// A value of any shape.
private enum RandomItem: Codable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case array([RandomItem])
  case map([String: RandomItem])

  static func make(depth: Int, using generator: inout SeededGenerator) -> RandomItem {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2:
      let size = Int.random(in: 0..<63, using: &generator)
      return .integer(Int.random(in: -1 << size...1 << size, using: &generator))
    case 3:
      let exact: [Double] = [0.5, 1e10 + 0.5, 0.1, 65519.5, 3.5e-8, -1e300]
      return .number(exact[Int.random(in: 0..<exact.count, using: &generator)] + 0.25)
    case 4: return .text(text(using: &generator))
    case 5:
      return .array(
        (0..<Int.random(in: 0..<30, using: &generator)).map { _ in make(depth: depth - 1, using: &generator) }
      )
    default:
      let pairs = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
        (text(using: &generator), make(depth: depth - 1, using: &generator))
      }
      return .map(Dictionary(pairs) { $1 })
    }
  }

  private static func text(using generator: inout SeededGenerator) -> String {
    let letters = ["a", "b", "ß", "水", "😀", "\u{0}", "\n"]
    let count = Int.random(in: 0..<Int.random(in: 1...40, using: &generator), using: &generator)
    return (0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }.joined()
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self), value.rounded() != value {
      self = .number(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([RandomItem].self) {
      self = .array(value)
    } else {
      self = .map(try container.decode([String: RandomItem].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .map(let value): try container.encode(value)
    }
  }
}
