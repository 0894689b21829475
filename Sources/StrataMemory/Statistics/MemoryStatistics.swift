/// The counters of a memory storage since it was created, and its present size, to print or to send to a monitoring
/// system.
///
/// ```swift
/// print(memory.statistics)             // One line per counter.
/// let ratio = memory.statistics.hitRatio
/// ```
///
/// The counters of a shard are read together, but the shards one after the other.
public struct MemoryStatistics: Sendable, Equatable {
  /// Reads that found a valid value.
  public internal(set) var hits = 0
  /// Reads that found no value or an expired one. A `peek` does not count.
  public internal(set) var misses = 0
  /// The number of removed entries, by reason.
  public internal(set) var removals: [MemoryRemovalReason: Int] = [:]
  /// The loads by `object(forKey:expiry:orLoad:)` that returned a value.
  public internal(set) var loads = 0
  /// The loads that threw.
  public internal(set) var failedLoads = 0
  /// The total time of all loads.
  public internal(set) var loadTime: Duration = .zero
  /// The number of entries, including expired entries that are not reclaimed yet.
  public internal(set) var count = 0
  /// The total cost of the entries; 0 without a cost limit, since costs are then not computed.
  public internal(set) var cost = 0

  /// The fraction of reads that were hits, from 0 to 1; 0 before the first read.
  public var hitRatio: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }
  /// The number of entries evicted for a limit or under memory pressure.
  public var evictions: Int {
    [.countLimit, .costLimit, .memoryPressure].reduce(0) { $0 + removals[$1, default: 0] }
  }
  /// The average time of a load.
  public var averageLoadTime: Duration { loadTime / max(1, loads + failedLoads) }
}

extension MemoryStatistics: CustomStringConvertible {
  /// One line per counter, aligned.
  public var description: String {
    var lines = ["hits       \(hits) of \(hits + misses) (\(Self.percent(hitRatio)))"]
    lines.append("entries    \(count)" + (cost > 0 ? ", cost \(cost)" : ""))
    for reason in MemoryRemovalReason.allCases {
      guard let times = removals[reason], times > 0 else { continue }
      lines.append("\(reason.rawValue)".padded(to: 10) + " \(times)")
    }
    if loads + failedLoads > 0 {
      lines.append("loads      \(loads), \(failedLoads) failed, \(averageLoadTime) each")
    }
    return lines.joined(separator: "\n")
  }

  private static func percent(_ ratio: Double) -> String {
    let tenths = Int((ratio * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
