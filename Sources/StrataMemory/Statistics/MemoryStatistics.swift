/// What a memory storage has done since it was made, and what it holds: numbers to print, or to send to where you watch
/// your caches.
///
/// Each shard is counted at one moment, all of them one after the other.
public struct MemoryStatistics: Sendable, Equatable {
  /// Reads that found a valid value.
  public internal(set) var hits = 0
  /// Reads that found none, or one that had expired; a `peek` is none of them.
  public internal(set) var misses = 0
  /// How many entries left, by the reason.
  public internal(set) var removals: [MemoryRemovalReason: Int] = [:]
  /// Loads that gave a value, by `object(forKey:expiry:orLoad:)`.
  public internal(set) var loads = 0
  /// Loads that threw.
  public internal(set) var failedLoads = 0
  /// How long all loads took together.
  public internal(set) var loadTime: Duration = .zero
  /// How many entries there are, expired ones included that were not reclaimed yet.
  public internal(set) var count = 0
  /// What they cost together; 0 without a cost limit, for then costs are not asked for.
  public internal(set) var cost = 0

  /// The part of reads that were hits, from 0 to 1; 0 before the first.
  public var hitRatio: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }
  /// Entries that made room or that memory was too short for: those that you might want to have kept.
  public var evictions: Int {
    [.countLimit, .costLimit, .memoryPressure].reduce(0) { $0 + removals[$1, default: 0] }
  }
  /// How long a load took on average.
  public var averageLoadTime: Duration { loadTime / max(1, loads + failedLoads) }
}

extension MemoryStatistics: CustomStringConvertible {
  /// One line a matter, aligned.
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
