import BenchHarness

/// Bounded caches that are full.
struct AtCapacity {
  private let capacity: Int
  private let universe: Int
  private let operations: Int

  init(isQuick: Bool) {
    capacity = isQuick ? 2_000 : 100_000
    universe = capacity * 10
    operations = isQuick ? 5_000 : 150_000
  }

  func measure<Key: BenchKey>(_ type: Key.Type, _ label: String, _ report: inout Report) throws {
    let size = Cell.count(capacity).shown
    Progress.say("memory: capacity \(size), \(label)")
    let comparison = Comparison(operations: operations, threads: [1, 2], rounds: 5, warmUps: 2)
    let keys = [Key](numbers: 0..<universe)
    // Each run has its own draws: with repeated draws, a cache would only have to keep the entries of the last run. One
    // more run measures the hit ratio.
    let draws = (0..<2).map { thread in
      (0...comparison.runs).map { run in
        KeySequence.zipf(operations, of: universe, seed: UInt64(run * 2 + thread + 4)).map { keys[$0] }
      }
    }
    // There are far more distinct keys than the cache can hold, so that each is evicted long before its next request.
    let fresh = (0..<2).map { thread in
      (0..<5).map { run in
        [Key](numbers: (0..<operations).map { universe + ($0 + run * operations) * 2 + thread })
      }
    }
    let lru = TextbookLRU<Key, Int>(capacity: capacity)
    let nsCache = FoundationCache<Key, Int>(capacity: capacity)
    let strata = StrataCache<Key, Int>(capacity: capacity)

    let reads = try comparison.run([
      Contender(Name.lru) { try lru.readThrough(draws[$0][$1], 1) },
      Contender(Name.nsCache) { try nsCache.readThrough(draws[$0][$1], 1) },
      Contender(Name.memory) { try strata.readThrough(draws[$0][$1], 1) },
    ])
    let last = draws[0][comparison.runs]
    let hits = [
      Name.lru: try lru.readThrough(last, 1), Name.nsCache: try nsCache.readThrough(last, 1),
      Name.memory: try strata.readThrough(last, 1),
    ].mapValues { Double($0) / Double(operations) }
    let writes = try comparison.run([
      Contender(Name.lru) { try lru.write(1, forKeys: fresh[$0][$1 % 5]) },
      Contender(Name.nsCache) { try nsCache.write(1, forKeys: fresh[$0][$1 % 5]) },
      Contender(Name.memory) { try strata.write(1, forKeys: fresh[$0][$1 % 5]) },
    ])

    report.add(
      "Capacity \(size): reads that insert on a miss, \(label)",
      """
      Zipf 0.99 over \(Cell.count(universe).shown) keys. ns an operation, threads together; speeds against \
      \(Name.lru) with as many threads: higher is faster.
      """,
      table: table(reads, hits))
    report.add(
      "Capacity \(size): writes of new keys, \(label)", "Each write evicts an entry.", table: table(writes))
    addAims(reads, writes, label, &report)
  }

  private func addAims(
    _ reads: [Timing], _ writes: [Timing], _ label: String, _ report: inout Report
  ) {
    let size = Cell.count(capacity).shown
    report.add(
      .atLeast(
        1.5, reads.of(Name.lru).ratio(to: reads.of(Name.memory)),
        "reads that insert on a miss, capacity \(size), \(label), speed against \(Name.lru)"))
    for (what, measurements) in [("reads that insert on a miss", reads), ("writes of new keys", writes)] {
      report.add(
        .atLeast(
          12, measurements.of(Name.nsCache).ratio(to: measurements.of(Name.memory)),
          "\(what), capacity \(size), \(label), against NSCache"))
    }
  }

  private func table(_ measurements: [Timing], _ hits: [String: Double] = [:]) -> Table {
    var table = Table(
      ["cache", "1 thread", "1: speed", "2 threads", "2: speed", "2 threads do"]
        + (hits.isEmpty ? [] : ["hits, %"]))
    for one in measurements where one.threads == 1 {
      let two = measurements.of(one.name, threads: 2)
      table.add(
        [
          .text(one.name),
          .measure(one.median), .ratio(measurements.of(Name.lru).ratio(to: one)),
          .measure(two.median), .ratio(measurements.of(Name.lru, threads: 2).ratio(to: two)),
          .ratio(one.ratio(to: two)),
        ] + (hits[one.name].map { [.percent($0)] } ?? []))
    }
    return table
  }
}
