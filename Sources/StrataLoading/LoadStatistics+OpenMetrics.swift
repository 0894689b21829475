import StrataCore

extension LoadStatistics {
  /// Returns the counters and the histogram of load times as OpenMetrics text, for Prometheus and others. It contains
  /// no keys and no values.
  ///
  /// ```swift
  /// let page = profiles.statistics.openMetrics(store: "profiles")   // To answer a request for `/metrics`.
  /// ```
  ///
  /// - Parameters:
  ///   - store: the name of the store, the one label of every figure.
  ///   - isEnded: whether the text ends with `# EOF`, as a complete response must; `false` for a part of a response.
  public func openMetrics(store: String, isEnded: Bool = true) -> String {
    let label = [("store", store)]
    var metrics = OpenMetrics()
    func counter(_ name: String, _ help: String, _ value: Int) {
      metrics.counter(name, help, [(label, value)])
    }
    func counter(_ name: String, _ help: String, by part: String, _ values: KeyValuePairs<String, Int>) {
      metrics.counter(name, help, values.map { (label + [(part, $0.key)], $0.value) })
    }
    counter(
      "reads", "Reads, by result.", by: "found",
      ["fresh": hits, "absent": absentHits, "stale": staleHits, "nothing": misses])
    counter("loads", "Loads, by outcome.", by: "end", ["loaded": loads, "failed": failedLoads])
    counter("background_loads", "Loads that were started in the background.", backgroundLoads)
    counter(
      "load_timeouts", "Callers that stopped waiting, by timeout.", by: "limit",
      ["soft": softTimeouts, "hard": hardTimeouts])
    counter("abandoned_loads", "Loads that counted as lost.", abandonedLoads)
    counter("skipped_refreshes", "Refreshes that were skipped.", skippedRefreshes)
    counter("overtaken_loads", "Loaded values that were not stored.", overtakenLoads)
    counter("store_failures", "Failures of the inner store.", storeFailures)
    counter(
      "leases", "Leases, by outcome.", by: "end",
      ["won": leasesWon, "awaited": leasesAwaited, "lost": leasesLost, "failed": leaseFailures])
    metrics.histogram("load_seconds", "The durations of successful loads.", [(label, loadTimes)])
    if isEnded { metrics.end() }
    return metrics.text
  }
}
