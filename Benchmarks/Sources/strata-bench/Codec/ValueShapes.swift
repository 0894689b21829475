import BenchHarness
import Foundation
import Strata
import StrataCBOR

/// CBOR compared with Foundation's JSON, for encoding and decoding, on values of many shapes.
struct ValueShapes {
  let isQuick: Bool

  func measure(_ report: inout Report) throws {
    var table = Table([
      "value", "bytes of JSON", "CBOR's, ratio", "JSON encoded, µs", "CBOR encoded, times faster",
      "JSON decoded, µs", "CBOR decoded, times faster",
    ])
    for shape in try Self.shapes() {
      Progress.say("codec: \(shape.name)")
      let operations = isQuick ? 2 : max(3, 200_000 / shape.jsonBytes)
      let comparison = Comparison(operations: operations, rounds: isQuick ? 3 : 9, time: .processor)
      let ratios = try [shape.encoders, shape.decoders].map { ways in
        let timings = try comparison.run(
          ways.map { name, once in
            Contender(name) { _, _ in try (0..<operations).reduce(0) { sum, _ in try sum &+ once() } }
          })
        return (json: timings[0], ratio: timings[0].ratio(to: timings[1]))
      }
      let bytes = Double(shape.cborBytes) / Double(shape.jsonBytes)
      table.add([
        .text(shape.name), .count(shape.jsonBytes), .ratio(bytes), .measure(ratios[0].json.median / 1000),
        .ratio(ratios[0].ratio), .measure(ratios[1].json.median / 1000), .ratio(ratios[1].ratio),
      ])
      report.add(.atLeast(shape.goal, ratios[0].ratio, "\(shape.name), encoded: time with JSON against CBOR"))
      report.add(.atLeast(shape.goal, ratios[1].ratio, "\(shape.name), decoded: time with JSON against CBOR"))
    }
    report.add(
      "CBOR against Foundation's JSON",
      "Processor time. Each ratio is the median of the ratios of all rounds. A higher ratio is faster.",
      table: table)
  }

  /// A value with its measurements.
  private struct Shape {
    typealias Way = (String, @Sendable () throws -> Int)

    let name: String
    /// The target: how many times as fast as JSON encoding and decoding should be.
    let goal: Double
    let jsonBytes, cborBytes: Int
    let encoders, decoders: [Way]

    init<Value: Codable & Sendable>(_ name: String, goal: Double = 1, _ value: Value) throws {
      let (json, cbor) = (try JSONEncoder().encode(value), try CBOREncoder().encode(value))
      (self.name, self.goal, jsonBytes, cborBytes) = (name, goal, json.count, cbor.count)
      encoders = [
        ("JSON", { try JSONEncoder().encode(value).count }),
        ("CBOR", { try CBOREncoder().encode(value).count }),
      ]
      decoders = [
        ("JSON", { try withExtendedLifetime(JSONDecoder().decode(Value.self, from: json)) { 1 } }),
        ("CBOR", { try withExtendedLifetime(CBORDecoder().decode(Value.self, from: cbor)) { 1 } }),
      ]
    }
  }

  private struct Account: Codable, Sendable { let id: Int, name: String, isActive: Bool }
  private struct Point: Codable, Sendable { let x: Int, y: Double }

  private indirect enum Nest: Codable, Sendable {
    case end
    case level(Nest, name: String)
  }

  private static let words = [
    "Größe", "naïveté", "Вікіпедія", "вільна енциклопедія", "水曜日の朝", "한국어 위키백과", "😀 grinning", "ελληνικά",
    "plain",
  ]

  /// Returns a text of which few characters are ASCII.
  private static func text(_ seed: UInt64, words count: Int) -> String {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }
      .joined(separator: " ")
  }

  private static func shapes() throws -> [Shape] {
    var nest = Nest.end
    for level in 0..<100 { nest = .level(nest, name: "level \(level)") }
    let numbers = (0..<1000).map { $0 * 7919 % 1_000_003 }
    let letters = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 2000)
    return [
      try Shape("three fields", goal: 5, Account(id: 1_234_567, name: "Ada Lovelace", isActive: true)),
      try Shape("30 records of 12 fields", goal: 5, Page(records: 30)),
      try Shape("200 × 700 integers", goal: 3, Array(repeating: Array(numbers.prefix(700)), count: 200)),
      try Shape(
        "50 × 60 × 40 optional integers", goal: 3,
        Array(repeating: Array(repeating: numbers.prefix(40).map(Optional.some), count: 60), count: 50)),
      try Shape("300 texts, few letters of ASCII", goal: 3, (0..<300).map { text(UInt64($0), words: 5) }),
      try Shape("a text of all scripts", goal: 3, text(1, words: 10_000)),
      try Shape(
        "a text of Cyrillic letters", goal: 3, String(repeating: "вільна енциклопедія ", count: 5000)),
      try Shape("a text of Japanese letters", goal: 3, String(repeating: "水曜日の朝", count: 10_000)),
      try Shape(
        "a text with a few accents", goal: 3, String(repeating: "un élève, trois leçons; ", count: 4000)),
      try Shape("a text of ASCII", letters),
      try Shape("1 000 structs of two numbers", numbers.map { Point(x: $0, y: Double($0) / 8) }),
      try Shape(
        "a dictionary of 300 integers",
        Dictionary(uniqueKeysWithValues: numbers.prefix(300).map { ("key \($0)", $0) })),
      try Shape("an enum, 100 levels deep", nest),
      try Shape("1 000 decimal fractions", numbers.map { Double($0) * 1.37 }),
      try Shape("1 000 optional texts", numbers.map { $0 % 3 == 0 ? nil : "text \($0)" }),
      try Shape("300 dates", numbers.prefix(300).map { Date(timeIntervalSince1970: Double($0) * 1000.5) }),
      try Shape("10 kB of bytes", Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 37) })),
    ] + (try unusual(numbers))
  }

  private static func unusual(_ numbers: [Int]) throws -> [Shape] {
    [
      try Shape(
        "a dictionary of 1 000 whole keys", Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0) })),
      try Shape(
        "a dictionary of 100 lists of texts",
        Dictionary(uniqueKeysWithValues: (0..<100).map { ("key \($0)", ["a \($0)", "b", "c"]) })),
      try Shape("a tree of unknown keys", UnusualShapes.Tree(levels: 20)),
      try Shape("300 enums with payloads", (0..<300).map(UnusualShapes.Event.init)),
      try Shape("100 items: UUID, URL, date, Decimal", (0..<100).compactMap(UnusualShapes.Item.init)),
      try Shape("a set of 1 000 texts", Set(numbers.map { "text \($0)" })),
      try Shape("300 texts of emoji", Array(repeating: "😀👩‍👩‍👧‍👦🏳️‍🌈🇺🇦", count: 300)),
      try Shape("200 structs of empty containers", Array(repeating: UnusualShapes.Hollow(), count: 200)),
      try Shape("optionals, 100 levels deep", UnusualShapes.Link(levels: 100)),
      try Shape("100 structs read backwards", Array(repeating: UnusualShapes.Backwards(), count: 100)),
    ]
  }
}
