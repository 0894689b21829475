extension MemoryStorage {
  /// The counters since the storage was created, and its present size.
  ///
  /// ```swift
  /// print(memory.statistics)
  /// ```
  public var statistics: MemoryStatistics {
    var statistics = MemoryStatistics()
    for number in 0..<shards.count {
      let (hits, misses, replacements, events, count, cost) = shards.shard(number: number).pointee.table
        .withLock {
          ($0.hits, $0.misses, $0.replacements, $0.events, $0.count, $0.cost)
        }
      statistics.hits += hits
      statistics.misses += misses
      statistics.removals[.replaced, default: 0] += replacements
      statistics.count += count
      statistics.cost += cost
      for reason in MemoryRemovalReason.allCases {
        statistics.removals[reason, default: 0] += events.times(reason)
      }
    }
    let loads = loads.withLock { $0 }
    statistics.loads = loads.count
    statistics.failedLoads = loads.failures
    statistics.loadTime = loads.time
    return statistics
  }
}
