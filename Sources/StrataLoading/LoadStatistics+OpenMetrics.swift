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
    func counter(_ name: String, _ help: String, _ values: [(label: [(String, String)], value: Int)]) {
      metrics.counter(name, help, values.map { (label + $0.label, $0.value) })
    }
    counter(
      "reads", "Reads, by result.",
      [
        ([("found", "fresh")], hits), ([("found", "absent")], absentHits), ([("found", "stale")], staleHits),
        ([("found", "nothing")], misses),
      ])
    counter(
      "loads", "Loads, by outcome.", [([("end", "loaded")], loads), ([("end", "failed")], failedLoads)])
    counter("background_loads", "Loads that were started in the background.", [([], backgroundLoads)])
    counter(
      "load_timeouts", "Callers that stopped waiting, by timeout.",
      [([("limit", "soft")], softTimeouts), ([("limit", "hard")], hardTimeouts)])
    counter("abandoned_loads", "Loads that counted as lost.", [([], abandonedLoads)])
    counter("skipped_refreshes", "Refreshes that were skipped.", [([], skippedRefreshes)])
    counter("overtaken_loads", "Loaded values that were not stored.", [([], overtakenLoads)])
    counter("store_failures", "Failures of the inner store.", [([], storeFailures)])
    counter(
      "leases", "Leases, by outcome.",
      [
        ([("end", "won")], leasesWon), ([("end", "awaited")], leasesAwaited), ([("end", "lost")], leasesLost),
        ([("end", "failed")], leaseFailures),
      ])
    metrics.histogram("load_seconds", "The durations of successful loads.", [(label, loadTimes)])
    if isEnded { metrics.end() }
    return metrics.text
  }
}
