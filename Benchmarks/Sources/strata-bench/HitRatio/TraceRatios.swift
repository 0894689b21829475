import BenchHarness
import BenchTraces
import CacheSimulation

/// The hit ratios of one trace at several sizes.
struct TraceRatios {
  let trace: Trace
  /// The sizes as the user wrote them.
  let sizes: String
  let reference: ReferenceTable?

  func report(withPlot: Bool) throws -> Report {
    var report = Report("Hit ratio: \(trace.name)")
    let capacities = try Capacities.parse(sizes, whole: trace.uniqueCount)
    let names = zip(sizes.split(separator: ","), capacities).map { String($0.0) }
    let lru = StackDistances(trace)
    let optimum = Optimum(trace)
    let policies = (reference?.policies ?? []).filter { $0 != "LRU" && $0 != "OPT" }
    var table = Table(["size", "entries", "Strata", "LRU"] + policies + ["OPT"])
    for (name, capacity) in zip(names, capacities) {
      Progress.say("hitratio: \(trace.name), \(Cell.count(capacity).shown) entries")
      let known = rows.first { $0.capacity == capacity }?.hitRatios ?? [:]
      table.add(
        [.text(name), .count(capacity), .percent(try trace.replay(capacity: capacity))]
          + [.percent(lru.hitRatio(capacity: capacity))]
          + policies.map { known[$0].map(Cell.percent) ?? .none }
          + [.percent(optimum.hitRatio(capacity: capacity))])
    }
    report.add(
      "Sizes",
      """
      \(Cell.count(trace.requests.count).shown) requests for \(Cell.count(trace.uniqueCount).shown) keys; hits in percent \
      of all requests. Strata is `MemoryStorage` itself; LRU and OPT, the best that is possible, are computed here; other \
      policies are those of the reference.
      """,
      table: table, plot: withPlot ? try plot(lru, optimum) : nil)
    return report
  }

  /// Returns the curve of the hit ratio over the size, with the known ratios of other policies.
  func plot(_ lru: StackDistances, _ optimum: Optimum) throws -> Report.Plot {
    Progress.say("hitratio: \(trace.name), the curve")
    let whole = trace.uniqueCount
    let capacities = Capacities.spread(16, from: max(1, whole / 500), to: whole)
    func curve(_ ratio: (Int) throws -> Double) rethrows -> [(x: Double, y: Double)] {
      try capacities.map { (Double($0), try ratio($0) * 100) }
    }
    var series = [
      LineChart.Series("Strata", .strong, try curve { try trace.replay(capacity: $0) }),
      LineChart.Series("LRU", .plain, curve { lru.hitRatio(capacity: $0) }),
      LineChart.Series("OPT", .dashed, curve { optimum.hitRatio(capacity: $0) }),
    ]
    let others = (reference?.policies ?? []).filter { !["LRU", "OPT", "Caffeine"].contains($0) }
    let points = rows.flatMap { row in
      others.compactMap { name in row.hitRatios[name].map { (x: Double(row.capacity), y: $0 * 100) } }
    }
    if !points.isEmpty { series.insert(LineChart.Series("other policies", .faintPoints, points), at: 0) }
    let caffeine = rows.compactMap { row in
      row.hitRatios["Caffeine"].map { (x: Double(row.capacity), y: $0 * 100) }
    }
    if !caffeine.isEmpty { series.append(LineChart.Series("Caffeine", .points, caffeine)) }
    return Report.Plot(
      trace.name,
      LineChart(
        "Hit ratio over size: \(trace.name)",
        subtitle:
          "\(Cell.count(trace.requests.count).shown) requests for \(Cell.count(whole).shown) keys, every miss stored",
        x: Axis("entries that fit", isLogarithmic: true), y: Axis("hits, % of requests"), series: series))
  }

  private var rows: [ReferenceTable.Row] { reference?.rows.filter { $0.trace == trace.name } ?? [] }
}
