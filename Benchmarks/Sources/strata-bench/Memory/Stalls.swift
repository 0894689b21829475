import BenchHarness

/// The times of the slowest inserts while a cache grows.
struct Stalls {
  /// The number of inserted entries.
  let count: Int

  func measure(_ report: inout Report) throws {
    Progress.say("memory: slowest inserts while growing to \(Cell.count(count).shown)")
    var latencies: [String: [Latency]] = [:]
    for _ in 0..<3 {
      latencies[Name.dictionary, default: []].append(try fill(LockedDictionary()))
      latencies[Name.shards, default: []].append(try fill(ShardedDictionary()))
      latencies[Name.lru, default: []].append(try fill(TextbookLRU(capacity: count * 2)))
      latencies[Name.memory, default: []].append(try fill(StrataCache(capacity: count * 2)))
    }
    var table = Table(["cache", "half, ns", "99.9 %, ns", "99.999 %, µs", "slowest, µs", "ratio"])
    let slowest = latencies.mapValues { $0.map(\.slowest).min() ?? .nan }
    for name in [Name.dictionary, Name.shards, Name.lru, Name.memory] {
      let runs = latencies[name] ?? []
      table.add([
        .text(name),
        .measure(runs.map(\.half).median), .measure(runs.map(\.rare).median),
        .measure(runs.map(\.veryRare).median / 1000), .measure((slowest[name] ?? .nan) / 1000),
        .ratio((slowest[name] ?? .nan) / (slowest[Name.dictionary] ?? .nan)),
      ])
    }
    report.add(
      "Slowest inserts while growing to \(Cell.count(count).shown) entries",
      """
      Int keys, one thread, each insert timed for itself, an empty cache three times. The slowest insert is that of \
      the best time: what stalls each time is the cache's doing, what stalls once is the machine's.
      """,
      table: table)
  }

  private struct Latency {
    let half: Double
    let rare: Double
    let veryRare: Double
    let slowest: Double
  }

  private func fill<C: Cache<Int, Int>>(_ cache: C) throws -> Latency {
    var times: [Double] = []
    times.reserveCapacity(count)
    for number in 0..<count {
      let watch = Stopwatch()
      try cache.store(number, forKey: number)
      times.append(Double(watch.nanoseconds))
    }
    times.sort()
    func time(_ share: Double) -> Double { times[Int(share * Double(times.count - 1))] }
    return Latency(half: time(0.5), rare: time(0.999), veryRare: time(0.99999), slowest: time(1))
  }
}
