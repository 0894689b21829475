#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
@_spi(Command) import StrataS3

/// A page of OpenMetrics text on which a program shows the figures of its stores.
struct MetricsPage: Sendable {
  /// A tier of one of the program's stores.
  struct Tier: Hashable, Sendable {
    let store: String
    let tier: String
  }

  private let url: URL
  private let page: WebPage

  /// Returns whether an address is a page and not a store.
  static func hasAddress(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

  /// - Parameter limit: The maximum duration of a request in seconds.
  init(_ address: String, limit: Double) throws {
    try StoreURL(address).refusePassword(advice: "give the address of a page that needs none")
    guard let url = URL(string: address), url.host() != nil else {
      throw Failure.usage("“\(address)” is not the address of a page, such as http://localhost:9090/metrics")
    }
    self.url = url
    page = try WebPage(
      url, accepting: "application/openmetrics-text, text/plain", timeout: .seconds(limit), limit: 16 << 20)
  }

  /// Requests the page, and returns the figures of all tiers in their order.
  func read() async throws -> [(tier: Tier, figures: TierFigures)] {
    let (status, body) = try await answer()
    guard status == 200 else {
      throw Failure(
        .failed, "failed", "the server answered with status \(status)", place: url.absoluteString,
        advice: "correct the address of the page")
    }
    guard let body else {
      throw Failure(
        .failed, "failed", "the page is longer than 16 MiB", place: url.absoluteString,
        advice: "correct the address of the page")
    }
    let tiers = try Self.tiers(in: String(decoding: body, as: UTF8.self))
    if tiers.isEmpty {
      throw Failure(
        .failed, "failed", "the page has no figures of a store", place: url.absoluteString,
        advice: "the program has to answer with store.statistics.openMetrics(store: \"…\")")
    }
    return tiers
  }

  private func answer() async throws -> (status: Int, body: Data?) {
    do { return try await page.read() } catch let error as S3ConnectionError {
      throw StorageError.backendFailed.with(
        "no response arrived: \(error)", place: url.absoluteString, cause: error)
    }
  }

  /// Returns the figures of all tiers in a text of OpenMetrics. Metrics of other libraries are ignored.
  static func tiers(in text: String) throws(Failure) -> [(tier: Tier, figures: TierFigures)] {
    var samples: [Sample] = []
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("strata_") {
      let sample = try Sample(line)
      if sample.labels["store"] != nil { samples.append(sample) }
    }
    // A loading store may be on the page twice: as a tier, and with the counters of its loads.
    let figures = figures(of: samples.filter { $0.labels["tier"] != nil })
      .merging(figures(of: samples.filter { $0.labels["tier"] == nil })) { tier, _ in tier }
    var order: [Tier] = []
    for sample in samples where !order.contains(sample.tier) { order.append(sample.tier) }
    return order.compactMap { tier in figures[tier].map { (tier, $0) } }
  }

  private static func figures(of samples: [Sample]) -> [Tier: TierFigures] {
    var found: [Tier: TierFigures] = [:]
    // The limits and counts of each tier's histograms, by operation.
    var histograms: [Tier: [String: [(limit: Double, count: Int)]]] = [:]
    for sample in samples {
      if sample.name.hasSuffix("_seconds_bucket"), let limit = sample.labels["le"].flatMap({ Double($0) }) {
        let operation = sample.labels["operation"] ?? ""
        histograms[sample.tier, default: [:]][operation, default: []].append((limit, sample.value))
      } else {
        found[sample.tier, default: TierFigures()].add(sample)
      }
    }
    for (tier, operations) in histograms { for times in operations.values { found[tier]?.add(times) } }
    return found
  }
}

/// A value of a metric with its labels.
private struct Sample {
  let name: Substring
  private(set) var labels: [String: String] = [:]
  let value: Int

  var tier: MetricsPage.Tier {
    MetricsPage.Tier(store: labels["store"] ?? "", tier: labels["tier"] ?? "loading")
  }

  /// Parses a line such as `strata_tier_writes_total{store="users",tier="disk"} 5`.
  init(_ line: Substring) throws(Failure) {
    name = line.prefix { $0 != "{" && $0 != " " }
    var rest = line[name.endIndex...]
    if rest.first == "{" {
      rest.removeFirst()
      while let label = Self.label(&rest) { labels[label.name] = label.value }
      guard rest.popFirst() == "}" else { throw Self.unreadable(line) }
    }
    // A time or an example may follow the value.
    guard let value = rest.split(separator: " ").first.flatMap({ Double($0) }) else {
      throw Self.unreadable(line)
    }
    self.value = Int(exactly: value.rounded()) ?? .max
  }

  /// Removes a label with its comma from the beginning of a text; returns `nil` if there is none.
  private static func label(_ rest: inout Substring) -> (name: String, value: String)? {
    let name = rest.prefix { $0 != "=" && $0 != "}" }
    guard rest[name.endIndex...].hasPrefix("=\"") else { return nil }
    rest = rest[name.endIndex...].dropFirst(2)
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      let next = character == "\\" ? rest.popFirst() : character
      value.append(character == "\\" && next == "n" ? "\n" : next ?? "\\")
    }
    if rest.first == "," { rest.removeFirst() }
    return (String(name.drop { $0 == " " }), value)
  }

  private static func unreadable(_ line: Substring) -> Failure {
    Failure(.failed, "failed", "the page has a line that is not OpenMetrics: \(line.prefix(100))")
  }
}

extension TierFigures {
  /// Adds a value of `StorageStatistics.openMetrics` or of `LoadStatistics.openMetrics`. A load has found a stale value
  /// or a known absence without waiting, so both are hits.
  fileprivate mutating func add(_ sample: Sample) {
    func label(_ name: String) -> String { sample.labels[name] ?? "" }
    let counter: Counter? =
      switch sample.name {
      case "strata_tier_reads_total": label("found") == "hit" ? .hits : .misses
      case "strata_reads_total": label("found") == "nothing" ? .misses : .hits
      case "strata_tier_writes_total": .writes
      case "strata_tier_removals_total": Self.removals[label("reason")]
      case "strata_tier_failures_total": .failures
      case "strata_loads_total": label("end") == "failed" ? .failures : nil
      default: nil
      }
    if let counter { counters[counter, default: 0] += sample.value }
    if sample.name == "strata_tier_entries" { entries = sample.value }
    if sample.name == "strata_tier_size" { size = sample.value }
  }

  private static let removals: [String: Counter] = [
    "removed": .removals, "evicted": .evictions, "expired": .expiries,
  ]

  /// Adds the classes of a histogram, whose counts include those of lower limits.
  fileprivate mutating func add(_ classes: [(limit: Double, count: Int)]) {
    var seen = 0
    for (limit, count) in classes.sorted(by: { $0.limit < $1.limit }) {
      times[limit, default: 0] += count - seen
      seen = count
    }
  }
}
