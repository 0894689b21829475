extension Report {
  /// Prints the figures of each part of the drill, one line per part.
  func printTable() {
    print("\(name):")
    print("  weather    requests  served   stale  loads      p50      p99")
    var start = 0
    for part in forecast {
      let range = start..<(start + part.seconds)
      let part = Part(outcomes.filter { range.contains($0.second) }, loads: loads[range].reduce(0, +))
      let columns = [
        "\(part.requests)".padded(to: 8), part.share(part.served).padded(to: 6),
        part.share(part.stale).padded(to: 6),
        "\(part.loads)".padded(to: 5), part.latency(0.5).padded(to: 7), part.latency(0.99).padded(to: 7),
      ]
      let weather = Source.weather(at: start).weather.rawValue
      print(
        "  " + weather + String(repeating: " ", count: 10 - weather.count) + " "
          + columns.joined(separator: "  "))
      start = range.upperBound
    }
  }
}

/// The figures of some requests.
struct Part {
  let requests: Int
  let served: Int
  let stale: Int
  let loads: Int
  private let latencies: [Duration]

  init(_ outcomes: [Outcome], loads: Int) {
    requests = outcomes.count
    served = outcomes.count { $0.answer != .failed }
    stale = outcomes.count { $0.answer == .stale }
    self.loads = loads
    latencies = outcomes.map(\.latency).sorted()
  }

  func share(_ count: Int) -> String { "\((1000 * count + requests / 2) / max(requests, 1))".permille }

  func latency(_ part: Double) -> String {
    guard !latencies.isEmpty else { return "–" }
    let latency = latencies[min(Int(part * Double(latencies.count)), latencies.count - 1)]
    return "\(Int(latency / .milliseconds(1))) ms"
  }
}

extension String {
  func padded(to width: Int) -> String { String(repeating: " ", count: max(width - count, 0)) + self }

  /// A number of thousandths as a percentage.
  fileprivate var permille: String { "\(Int(self).map { "\($0 / 10).\($0 % 10)" } ?? self) %" }
}
