/// What the tiers of a chain have done since they were created.
///
/// ```swift
/// print(users.statistics)                    // A line for each tier.
/// let page = users.statistics.openMetrics(store: "users")
/// ```
public struct StorageStatistics: Sendable, Equatable {
  /// The counters of each tier, nearest to the user first. A loading store is the first, as "loading".
  public let tiers: [TierStatistics]

  /// Reads the counters of a store. `store.statistics` is shorter, but some stores have `statistics` of their own, as
  /// `LoadingStorage` and `MemoryStorage`.
  ///
  /// ```swift
  /// let tiers = StorageStatistics(of: profiles).tiers   // Of the loads, the memory and the disk.
  /// ```
  public init(of store: some StorageDesign) {
    tiers = store.tiers.map { $0.reporter.counts.statistics(of: $0.store) }
  }

  /// Returns the counters of the first tier with a name, for example "memory"; `nil` if there is none.
  public subscript(tier: String) -> TierStatistics? { tiers.first { $0.name == tier } }
}

extension StorageDesign {
  /// What the tiers of this chain have done since they were created. Costs a lock for each tier; of a memory, a lock
  /// for each shard.
  public var statistics: StorageStatistics { StorageStatistics(of: self) }
}

extension StorageStatistics: CustomStringConvertible {
  /// A line for each tier.
  public var description: String {
    let rows =
      [["tier", "hits", "misses", "ratio", "writes", "removed", "evicted", "expired", "failed", "entries"]]
      + tiers.map { tier in
        [tier.name, "\(tier.hits)", "\(tier.misses)", "\(Int((tier.hitRatio * 100).rounded())) %"]
          + [tier.writes, tier.removals, tier.evictions, tier.expiries, tier.failures].map { "\($0)" }
          + [tier.count.map { "\($0)" } ?? "-"]
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 0 ? row[column] + padding : padding + row[column]
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
