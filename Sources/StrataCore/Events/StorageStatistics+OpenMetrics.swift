extension StorageStatistics {
  /// Returns the counters and the durations as OpenMetrics text, for Prometheus and others. It contains no keys and no
  /// values.
  ///
  /// ```swift
  /// let page = users.statistics.openMetrics(store: "users")   // To answer a request for `/metrics`.
  /// ```
  ///
  /// - Parameters:
  ///   - store: the name of the store, a label of every figure.
  ///   - isEnded: whether the text ends with `# EOF`, as a complete response must; `false` for a part of a response.
  public func openMetrics(store: String, isEnded: Bool = true) -> String {
    StorageStatistics.openMetrics(of: [(store, self)], isEnded: isEnded)
  }

  /// Returns the counters of several stores as one OpenMetrics text, in which each name is described once. The second
  /// tier of a chain with the same name has a number: "disk 2".
  ///
  /// ```swift
  /// let page = StorageStatistics.openMetrics(of: [("users", users.statistics), ("films", films.statistics)])
  /// ```
  public static func openMetrics(
    of stores: [(name: String, statistics: StorageStatistics)], isEnded: Bool = true
  ) -> String {
    var metrics = OpenMetrics()
    let tiers = stores.flatMap { store in
      zip(store.statistics.labels, store.statistics.tiers).map { label, tier in
        (labels: [("store", store.name), ("tier", label)], tier: tier)
      }
    }
    func values(
      _ label: String, _ counters: [(String, KeyPath<TierStatistics, Int>)]
    ) -> [(labels: [(name: String, value: String)], value: Int)] {
      tiers.flatMap { labels, tier in
        counters.map { value, counter in
          (labels + (label.isEmpty ? [] : [(label, value)]), tier[keyPath: counter])
        }
      }
    }
    metrics.counter(
      "tier_reads", "Reads of keys, by tier and result.",
      values("found", [("hit", \.hits), ("miss", \.misses)]))
    metrics.counter("tier_writes", "Values that callers have stored, by tier.", values("", [("", \.writes)]))
    metrics.counter(
      "tier_removals", "Removed entries, by tier and reason.",
      values("reason", [("removed", \.removals), ("evicted", \.evictions), ("expired", \.expiries)]))
    metrics.counter(
      "tier_promotions", "Values that were copied from a tier behind.", values("", [("", \.promotions)]))
    metrics.counter("tier_failures", "Operations that failed, by tier.", values("", [("", \.failures)]))
    metrics.counter("tier_damage", "Damaged data that was found, by tier.", values("", [("", \.damages)]))
    metrics.counter(
      "tier_reconnections", "Lost connections that were established again.",
      values("", [("", \.reconnections)]))
    metrics.gauge(
      "tier_entries", "Entries in a tier.",
      tiers.compactMap { labels, tier in tier.count.map { (labels, $0) } })
    metrics.gauge(
      "tier_size", "The size of a tier's entries, in bytes or by their cost.",
      tiers.compactMap { labels, tier in tier.size.map { (labels, $0) } })
    metrics.histogram(
      "tier_operation_seconds", "The durations of operations that may wait.",
      tiers.flatMap { labels, tier in
        [("read", tier.readTimes), ("write", tier.writeTimes)]
          .filter { $0.1.count > 0 }.map { (labels + [("operation", $0.0)], $0.1) }
      })
    if isEnded { metrics.end() }
    return metrics.text
  }

  /// The names of the tiers, with a number where a name is repeated: two series may not have the same labels.
  private var labels: [String] {
    var counts: [String: Int] = [:]
    return tiers.map { tier in
      let count = counts[tier.name, default: 0] + 1
      counts[tier.name] = count
      return count == 1 ? tier.name : "\(tier.name) \(count)"
    }
  }
}
