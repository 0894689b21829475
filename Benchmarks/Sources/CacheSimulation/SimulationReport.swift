public import BenchHarness
public import BenchTraces

/// The report of a simulation, for choosing a size.
public struct SimulationReport: Sendable {
  /// The requests.
  public let trace: Trace
  /// The part of the trace that was simulated.
  public let sampling: Sampling
  /// The results, by size.
  public let found: [Sampling.Found]

  /// Creates a report of results.
  public init(trace: Trace, sampling: Sampling, found: [Sampling.Found]) {
    self.trace = trace
    self.sampling = sampling
    self.found = found
  }

  /// Reads a trace, and simulates caches of several sizes for it.
  ///
  /// - Parameters:
  ///   - sizes: sizes to try, as `Capacities.parse` reads them; `nil` for twenty that show the curve.
  ///   - progress: called with each size before it is simulated.
  public init(
    path: String, hasCosts: Bool, sizes: String?, isExact: Bool, progress: (Int) throws -> Void = { _ in }
  ) throws {
    let trace = try Trace(path: path, hasCosts: hasCosts)
    let sampling = Sampling(of: trace, isExact: isExact)
    let whole = trace.totalCost
    let capacities =
      try sizes.map { (text) throws in try Capacities.parse(text, whole: whole) }
      ?? Capacities.spread(20, from: max(sampling.smallestCapacity, whole / 1000), to: whole)
    guard whole > 0 else { throw UsageError("all entries of \(path) cost nothing, so any cache holds them") }
    self.init(
      trace: trace, sampling: sampling,
      found: try sampling.simulate(trace, capacities: capacities, progress: progress))
  }

  /// The report: facts of the trace, advice, the table and the chart.
  public var report: Report {
    var report = Report("Simulation: \(trace.name)")
    report.add("The trace", facts)
    report.add("What to choose", advice)
    report.add("Sizes", sizesText, table: table, plot: plot)
    return report
  }

  private var curve: HitCurve {
    HitCurve(found.map { HitCurve.Point(capacity: $0.capacity, hitRatio: $0.hitRatio) })
  }
  private var whole: Int { trace.totalCost }
  private var unit: String { trace.costs == nil ? "entries" : "cost" }

  /// A description of the trace, in sentences.
  public var facts: String {
    let size = trace.costs == nil ? "" : ", which cost \(Cell.count(whole).shown) together"
    return """
      \(Cell.count(trace.requests.count).shown) requests for \(Cell.count(trace.uniqueCount).shown) different keys\(size). \
      Each first request must miss, so no cache answers more than \(Cell.percent(trace.bestHitRatio).shown) %.
      """
  }

  /// The recommended sizes, one per line.
  public var advice: String {
    guard trace.bestHitRatio > 0 else {
      return "A cache of any size is useless here: the trace requests no key twice."
    }
    var lines = [0.5, 0.8, 0.9, 0.95, 0.99].compactMap { share -> String? in
      guard let capacity = curve.capacity(reaching: share * trace.bestHitRatio) else { return nil }
      let subject = trace.costs == nil ? "\(described(capacity)) buy" : "\(described(capacity)) buys"
      return "- \(subject) \(Cell.number(share * 100, decimals: 0, unit: "").shown) % of the best"
    }
    if lines.isEmpty { lines.append("- no simulated size reaches half of the best hit ratio") }
    if let knee = curve.knee, knee.capacity < whole {
      lines.append(
        """
        - the knee is at \(described(knee.capacity)): it answers \(Cell.percent(knee.hitRatio).shown) % of all requests, and \
        beyond it more room buys less and less
        """)
    }
    return lines.joined(separator: "\n")
  }

  private var sizesText: String {
    guard let error = found.compactMap(\.error).max() else {
      return "Every request was given to `MemoryStorage` itself. Hits in percent of all requests."
    }
    return """
      Hits in percent of all requests, found with `MemoryStorage` itself on \(sampling.sampleCount) samples of one in \
      \(sampling.factor) keys, in caches smaller by the same factor. The samples differ so little that the ratios are good \
      to ±\(Cell.percent(error).shown) points (standard error); --exact leaves nothing out.
      """
  }

  /// The results as a table.
  public var table: Table {
    let isSampled = sampling.factor > 1
    var table = Table(
      [unit, "of all, %", "hits, %"] + (isSampled ? ["±"] : []) + ["of the best, %", "LRU, %"])
    for point in found {
      table.add(
        [.count(point.capacity), share(point.capacity), .percent(point.hitRatio)]
          + (isSampled ? [point.error.map(Cell.percent) ?? .none] : [])
          + [.number(point.hitRatio / trace.bestHitRatio * 100, decimals: 1, unit: ""), .percent(point.lru)])
    }
    return table
  }

  /// The curve of hit ratios.
  public var plot: Report.Plot {
    let places = found.map(\.capacity).map(Double.init)
    let notes = [0.5, 0.9].compactMap { share -> LineChart.Note? in
      guard let capacity = curve.capacity(reaching: share * trace.bestHitRatio) else { return nil }
      let size = Axis.label(Double(capacity))
      return LineChart.Note(
        x: Double(capacity), y: share * trace.bestHitRatio * 100,
        "\(trace.costs == nil ? "\(size) entries" : "cost \(size)"): \(Int(share * 100)) % of the best")
    }
    let best = [places.first, places.last].compactMap { $0 }.map { (x: $0, y: trace.bestHitRatio * 100) }
    return Report.Plot(
      trace.name + "-simulation",
      LineChart(
        "How big should the cache be? \(trace.name)",
        subtitle:
          "\(Cell.count(trace.requests.count).shown) requests for \(Cell.count(trace.uniqueCount).shown) keys",
        x: Axis(
          trace.costs == nil ? "entries that fit" : "cost of all entries that fit", isLogarithmic: true),
        y: Axis("hits, % of requests"),
        series: [
          .init("best possible", .dashed, best),
          .init("LRU", .plain, zip(places, found).map { ($0, $1.lru * 100) }),
          .init("Strata", .strong, zip(places, found).map { ($0, $1.hitRatio * 100) }),
        ], notes: notes))
  }

  private func described(_ capacity: Int) -> String {
    let size = Cell.count(capacity).shown
    return
      "\(trace.costs == nil ? "\(size) entries" : "a cost of \(size)") (\(share(capacity).shown) % of all)"
  }

  private func share(_ capacity: Int) -> Cell {
    let percent = Double(capacity) / Double(max(whole, 1)) * 100
    return .number(percent, decimals: percent < 1 ? 2 : percent < 10 ? 1 : 0, unit: "")
  }
}
