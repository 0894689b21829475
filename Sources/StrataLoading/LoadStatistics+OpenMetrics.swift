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
    let label = "store=\"\(Self.escaped(store))\""
    var text = ""
    func counter(_ name: String, _ help: String, _ values: [(label: String, value: Int)]) {
      text += "# TYPE strata_\(name) counter\n# HELP strata_\(name) \(help)\n"
      for (more, value) in values { text += "strata_\(name)_total{\(label)\(more)} \(value)\n" }
    }
    counter(
      "reads", "Reads, by result.",
      [
        (",found=\"fresh\"", hits), (",found=\"absent\"", absentHits), (",found=\"stale\"", staleHits),
        (",found=\"nothing\"", misses),
      ])
    counter(
      "loads", "Loads, by outcome.", [(",end=\"loaded\"", loads), (",end=\"failed\"", failedLoads)])
    counter("background_loads", "Loads that were started in the background.", [("", backgroundLoads)])
    counter(
      "load_timeouts", "Callers that stopped waiting, by timeout.",
      [(",limit=\"soft\"", softTimeouts), (",limit=\"hard\"", hardTimeouts)])
    counter("abandoned_loads", "Loads that counted as lost.", [("", abandonedLoads)])
    counter("skipped_refreshes", "Refreshes that were skipped.", [("", skippedRefreshes)])
    counter("overtaken_loads", "Loaded values that were not stored.", [("", overtakenLoads)])
    counter("store_failures", "Failures of the inner store.", [("", storeFailures)])
    counter(
      "leases", "Leases, by outcome.",
      [
        (",end=\"won\"", leasesWon), (",end=\"awaited\"", leasesAwaited), (",end=\"lost\"", leasesLost),
        (",end=\"failed\"", leaseFailures),
      ])
    text += "# TYPE strata_load_seconds histogram\n# UNIT strata_load_seconds seconds\n"
    text += "# HELP strata_load_seconds The durations of successful loads.\n"
    var seen = 0
    for (index, count) in loadTimes.counts.enumerated() where count > 0 && index < 63 {
      seen += count
      let limit = DurationHistogram.limit(of: index).inSeconds
      text += "strata_load_seconds_bucket{\(label),le=\"\(limit)\"} \(seen)\n"
    }
    text += "strata_load_seconds_bucket{\(label),le=\"+Inf\"} \(loadTimes.count)\n"
    text += "strata_load_seconds_count{\(label)} \(loadTimes.count)\n"
    text += "strata_load_seconds_sum{\(label)} \(loadTimes.total.inSeconds)\n"
    return isEnded ? text + "# EOF\n" : text
  }

  /// Returns a text escaped for a label's value.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
  }
}
