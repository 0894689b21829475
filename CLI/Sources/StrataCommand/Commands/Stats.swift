import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let stats = Verb(
    Command(
      "stats", "show sizes and lifetimes, the largest entries, and what compression would save",
      details: """
        Compresses a sample of the values as they are stored. A dictionary is trained on one half of the sample and
        measured on the other.
        """,
      arguments: [.store, .pattern],
      options: [
        Option("sample", "N", .count, "values to compress; by default 1000, 0 for none"),
        Option("top", "N", .count, "largest entries to show; by default 10"),
      ] + .reading)
  ) { context in
    let store = try context.open("STORE")
    let pattern = try context.invocation.argument("PATTERN").map { text throws in try Pattern(text) }
    context.watchSignals()
    var figures = Figures(
      top: context.invocation.count("top") ?? 10, sample: context.invocation.count("sample") ?? 1000)
    var pages = Pages(of: store, matching: pattern)
    var progress = context.progress("read")
    while let items = try await pages.next() {
      try context.checkpoint("read \(Units.entries(figures.census.count))")
      figures.add(items, at: store.storage.clock.now)
      progress.show(entries: figures.census.count, bytes: figures.census.bytes)
    }
    progress.end()
    let savings = Savings(of: figures.sample)
    try context.output.document(
      .object(figures.census.facts + figures.members + [.init(name: "compression", value: savings.json)]),
      text: figures.text(context.terminal) + savings.text(context.terminal))
  }
}

/// The figures of `stats`: histograms, the largest entries, and a sample of values.
private struct Figures {
  private(set) var census = Census()
  private(set) var sample: [Data] = []
  private let top: Int
  private let sampleSize: Int
  private var sizes = Histogram()
  private var keyLengths = Histogram()
  private var lifetimes: [Int]
  private var largest: [(key: String, size: Int)] = []
  private var random = SystemRandomNumberGenerator()

  private static let spans: [(name: String, seconds: Double)] = [
    ("1m", 60), ("1h", 3600), ("1d", 86_400), ("7d", 604_800), ("30d", 2_592_000), ("later", .infinity),
  ]

  init(top: Int, sample: Int) {
    self.top = top
    sampleSize = sample
    lifetimes = Array(repeating: 0, count: Self.spans.count)
  }

  mutating func add(_ items: [Pages.Item], at now: Date) {
    for (index, (key, entry)) in items.enumerated() {
      let size = entry.object.count
      sizes.add(size)
      keyLengths.add(key.utf8.count)
      if let end = entry.expiry.end {
        let left = end.timeIntervalSince(now)
        if let span = Self.spans.firstIndex(where: { left <= $0.seconds }) { lifetimes[span] += 1 }
      }
      if largest.count < top || size > (largest.last?.size ?? 0) {
        let place = largest.firstIndex { $0.size < size } ?? largest.count
        largest.insert((key, size), at: place)
        if largest.count > top { largest.removeLast() }
      }
      keep(entry.object, number: census.count + index)
    }
    census.add(items)
  }

  /// Adds a value to the sample, which contains each value with the same probability (Vitter's algorithm R). Values of
  /// more than 64 kB are omitted if a sample of them could take more than 64 MB.
  private mutating func keep(_ value: Data, number: Int) {
    guard value.count <= (64 << 20) / max(1, sampleSize) || value.count <= 1 << 16 else { return }
    if sample.count < sampleSize {
      sample.append(value)
    } else if sampleSize > 0 {
      let place = Int.random(in: 0...number, using: &random)
      if place < sampleSize { sample[place] = value }
    }
  }

  var members: [JSON.Member] {
    [
      .init(name: "sizes", value: sizes.json), .init(name: "keyLengths", value: keyLengths.json),
      .init(
        name: "expiresWithin",
        value: .object(zip(Self.spans, lifetimes).map { .init(name: $0.name, value: .integer($1)) })),
      .init(
        name: "largest",
        value: .array(largest.map { .object(["key": .text($0.key), "size": .integer($0.size)]) })),
    ]
  }

  func text(_ terminal: Terminal) -> String {
    var text = "\(Units.entries(census.count)), keys \(Units.bytes(census.keyBytes)), "
    text += "values \(Units.bytes(census.valueBytes))\n"
    text += "\n" + terminal.styled("sizes of values", .bold) + "\n" + sizes.text
    text += "\n" + terminal.styled("lengths of keys", .bold) + "\n" + keyLengths.text
    if census.expiring > 0 {
      text += "\n" + terminal.styled("expire within", .bold) + "\n"
      for (span, count) in zip(Self.spans, lifetimes) where count > 0 {
        text += Histogram.bar(span.name, count, of: census.expiring)
      }
    }
    if !largest.isEmpty {
      text += "\n" + terminal.styled("largest", .bold) + "\n"
      for (key, size) in largest { text += "\(Units.right(Units.bytes(size), 12))  \(Terminal.safe(key))\n" }
    }
    return text
  }
}
