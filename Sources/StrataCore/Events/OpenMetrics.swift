/// A text in the format of OpenMetrics, for Prometheus and others. Each family has one type and one help line.
package struct OpenMetrics {
  package private(set) var text = ""

  package init() {}

  /// Adds a counter, with a value for each set of labels.
  package mutating func counter(
    _ name: String, _ help: String, _ values: [(labels: [(name: String, value: String)], value: Int)]
  ) {
    begin(name, "counter", help)
    for (labels, value) in values { text += "strata_\(name)_total\(Self.text(labels)) \(value)\n" }
  }

  /// Adds a value that may rise and fall.
  package mutating func gauge(
    _ name: String, _ help: String, _ values: [(labels: [(name: String, value: String)], value: Int)]
  ) {
    if values.isEmpty { return }
    begin(name, "gauge", help)
    for (labels, value) in values { text += "strata_\(name)\(Self.text(labels)) \(value)\n" }
  }

  /// Adds durations in seconds. `name` ends with `_seconds`.
  package mutating func histogram(
    _ name: String, _ help: String,
    _ values: [(labels: [(name: String, value: String)], times: DurationHistogram)]
  ) {
    if values.isEmpty { return }
    begin(name, "histogram", help, unit: "seconds")
    for (labels, times) in values {
      var seen = 0
      for (index, count) in times.counts.enumerated() {
        seen += count
        // The same limits in each text, from a microsecond to half a minute: Prometheus adds the buckets of several
        // stores and machines, and must know each before its first count.
        if index > 50 || !index.isMultiple(of: 2) { continue }
        let limit = DurationHistogram.limit(of: index).inSeconds
        text += "strata_\(name)_bucket\(Self.text(labels + [("le", "\(limit)")])) \(seen)\n"
      }
      text += "strata_\(name)_bucket\(Self.text(labels + [("le", "+Inf")])) \(times.count)\n"
      text += "strata_\(name)_count\(Self.text(labels)) \(times.count)\n"
      text += "strata_\(name)_sum\(Self.text(labels)) \(times.total.inSeconds)\n"
    }
  }

  /// Ends the text, as a complete response must.
  package mutating func end() { text += "# EOF\n" }

  private mutating func begin(_ name: String, _ type: String, _ help: String, unit: String? = nil) {
    text += "# TYPE strata_\(name) \(type)\n"
    if let unit { text += "# UNIT strata_\(name) \(unit)\n" }
    text += "# HELP strata_\(name) \(help)\n"
  }

  private static func text(_ labels: [(name: String, value: String)]) -> String {
    "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
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

extension Duration {
  /// The duration in seconds.
  package var inSeconds: Double { self / .seconds(1) }
}
