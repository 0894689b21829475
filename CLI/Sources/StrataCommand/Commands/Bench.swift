import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let bench = Verb(
    Command(
      "bench", "measure how fast a store is, from this machine",
      details: """
        Stores, reads, lists and removes entries whose keys begin with “strata-bench/”; others are not touched. They have
        an expiry, so that they go away even if the command is killed. Each operation waits for the one before it.
        """,
      arguments: [.store],
      options: [
        Option("count", short: "c", "N", .count, "number of entries; by default 1000"),
        Option("size", short: "s", "SIZE", .size, "size of a value; by default 1kB"),
        Option("batch", short: "b", "N", .count, "entries per batch; by default 100"),
      ] + .store)
  ) { context in
    let store = try context.open("STORE", .create)
    let count = max(1, context.invocation.count("count") ?? 1000)
    let size = context.invocation.bytes("size") ?? 1000
    let batch = min(max(1, context.invocation.count("batch") ?? 100), 1 << 20)
    context.watchSignals()
    var measuring = Measuring(store: store, count: count, size: size, batch: batch, context: context)
    do { try await measuring.run() } catch {
      try await measuring.clean()
      throw error
    }
    try context.output.document(measuring.json, text: measuring.text)
  }
}

/// Measures the operations of a store with entries that it adds and removes.
private struct Measuring {
  private let storage: any StorageAware<String, Data>
  private let store: OpenStore
  private let context: Context
  private let keys: [String]
  private let value: Data
  private var results: [(name: String, seconds: Double, median: Double, worst: Double)] = []

  private let batch: Int

  init(store: OpenStore, count: Int, size: Int, batch: Int, context: Context) {
    self.store = store
    self.batch = batch
    storage = store.storage
    self.context = context
    keys = (0..<count).map { "strata-bench/\($0)" }
    // Every other byte is random, since some backends compress values.
    value = Data((0..<size).map { $0 % 2 == 0 ? UInt8.random(in: 0...255) : 0x61 })
  }

  mutating func run() async throws {
    let (storage, value) = (storage, value)
    let expiry = Expiry.date(Date().addingTimeInterval(3600))
    try await measure("put") { try await storage.setObject(value, forKey: $0, expiry: expiry) }
    try await measure("get") { _ = try await storage.entryIfPresent(forKey: $0) }
    try await measureBatches("put in batches of \(batch)") { keys in
      try await storage.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: expiry)
    }
    try await measureBatches("get in batches of \(batch)") { _ = try await storage.entries(forKeys: $0) }
    try await measure("remove") { try await storage.removeObject(forKey: $0) }
  }

  /// Removes the entries of a measurement that failed.
  func clean() async throws { try await storage.removeObjects(forKeys: keys) }

  private mutating func measure(_ name: String, _ body: (String) async throws -> Void) async throws {
    try await time(name, keys.map { [$0] }) { try await body($0[0]) }
  }

  private mutating func measureBatches(_ name: String, _ body: ([String]) async throws -> Void) async throws {
    try await time(name, keys.parts(of: batch).map(Array.init), body)
  }

  private mutating func time(
    _ name: String, _ batches: [[String]], _ body: ([String]) async throws -> Void
  ) async throws {
    var times: [Double] = []
    for keys in batches {
      try context.checkpoint("the entries of the measurement were removed")
      let start = Context.seconds()
      try await body(keys)
      times.append(Context.seconds() - start)
    }
    let sum = times.reduce(0, +)
    times.sort()
    results.append((name, sum, times[times.count / 2], times[times.count - 1]))
  }

  var json: JSON {
    .object([
      "kind": .text(store.kind), "entries": .integer(keys.count), "valueBytes": .integer(value.count),
      "results": .array(
        results.map {
          .object([
            "operation": .text($0.name),
            "entriesPerSecond": .number((Double(keys.count) / $0.seconds).rounded()),
            "medianSeconds": .number($0.median), "worstSeconds": .number($0.worst),
          ])
        }),
    ])
  }

  var text: String {
    var text = "\(Units.entries(keys.count)) of \(Units.bytes(value.count))\n"
    for (name, seconds, median, worst) in results {
      let rate = "\(Units.count(Int(Double(keys.count) / max(seconds, 1e-9)))) entries/s"
      text +=
        "\(Units.left(name, 24))\(Units.right(rate, 22))  median \(Units.time(median)), worst \(Units.time(worst))\n"
    }
    return text
  }
}
