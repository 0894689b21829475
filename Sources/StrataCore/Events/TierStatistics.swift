/// What one tier of a chain has done since it was created.
///
/// ```swift
/// for tier in users.statistics.tiers { print(tier.name, tier.hitRatio, tier.readTimes.quantile(0.99) ?? .zero) }
/// ```
///
/// The counters are read one after the other, while other threads go on.
public struct TierStatistics: Sendable, Equatable {
  /// The name of the tier, for example "memory", "disk" or "redis".
  public package(set) var name = ""
  /// Reads of keys that found a value.
  public package(set) var hits = 0
  /// Reads of keys that found none, or an expired one.
  public package(set) var misses = 0
  /// Values that callers have stored.
  public package(set) var writes = 0
  /// Entries that callers have removed. The removal of all entries counts as one.
  public package(set) var removals = 0
  /// Entries that the tier removed for a limit, or under memory pressure.
  public package(set) var evictions = 0
  /// Entries that the tier removed since they had expired.
  public package(set) var expiries = 0
  /// Values that were copied to this tier from a tier behind.
  public package(set) var promotions = 0
  /// Operations that failed.
  public package(set) var failures = 0
  /// Damaged data that the tier has found.
  public package(set) var damages = 0
  /// Lost connections that were established again.
  public package(set) var reconnections = 0
  /// The number of entries; `nil` if the tier cannot tell without work.
  public package(set) var count: Int?
  /// The size of the entries in bytes, for a memory their cost; `nil` if the tier cannot tell without work.
  public package(set) var size: Int?
  /// The durations of reads. Of a tier that never waits none are measured, of a disk or an engine one in 64, of a
  /// server all. While there are listeners, all are measured.
  public package(set) var readTimes = DurationHistogram()
  /// The durations of changes, measured as those of reads.
  public package(set) var writeTimes = DurationHistogram()

  package init(name: String) { self.name = name }

  /// The fraction of reads that were hits, from 0 to 1; 0 before the first read.
  public var hitRatio: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }
}

/// A store that keeps some of a tier's counters itself.
package protocol CountingTier: StorageDesign {
  /// Sets the counters that the store keeps.
  func count(into statistics: inout TierStatistics)
}
