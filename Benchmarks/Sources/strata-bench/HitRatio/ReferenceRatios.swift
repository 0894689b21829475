import BenchHarness
import BenchTraces
import CacheSimulation
import Foundation

/// All traces of a folder, at the sizes of its reference table.
struct ReferenceRatios {
  let folder: URL

  /// The policy to match, row by row and in the mean.
  private static let rival = "Caffeine"

  func report(withPlots: Bool, isQuick: Bool) throws -> Report {
    let reference = try ReferenceTable(path: folder.appending(path: "hitratios.tsv").path)
    var report = Report("Hit ratio")
    var rows: [Found] = []
    var plots: [Report.Plot] = []
    for (name, sizes) in grouped(reference) {
      Progress.say("hitratio: \(name)")
      let trace = try Trace(path: try file(of: name))
      if isQuick && trace.requests.count > 20_000 { continue }
      let lru = StackDistances(trace)
      let optimum = Optimum(trace)
      for row in sizes {
        rows.append(
          Found(
            row: row, strata: try trace.replay(capacity: row.capacity),
            lru: lru.hitRatio(capacity: row.capacity), optimum: optimum.hitRatio(capacity: row.capacity)))
      }
      if withPlots {
        plots.append(try TraceRatios(trace: trace, sizes: "", reference: reference).plot(lru, optimum))
      }
    }
    addRows(rows, &report)
    addMeans(rows, reference.policies, &report)
    for plot in plots { report.add("Curve: \(plot.name)", plot: plot) }
    return report
  }

  private struct Found {
    let row: ReferenceTable.Row
    let strata: Double
    let lru: Double
    let optimum: Double
    /// The lead over the rival in percentage points.
    var lead: Double { (strata - (row.hitRatios[ReferenceRatios.rival] ?? .nan)) * 100 }
  }

  private func addRows(_ rows: [Found], _ report: inout Report) {
    let rival = Self.rival
    var table = Table(["trace", "size", "entries", "Strata", rival, "lead", "LRU", "OPT", "note"])
    for found in rows {
      table.add([
        .text(found.row.trace), .text(found.row.size), .count(found.row.capacity), .percent(found.strata),
        found.row.hitRatios[rival].map(Cell.percent) ?? .none,
        .number(found.lead, decimals: 2, unit: ""), .percent(found.lru), .percent(found.optimum),
        .text(found.lead < -2 ? "**behind**" : ""),
      ])
    }
    report.add(
      "By trace and size",
      """
      Hits in percent of all requests; every miss stores its entry. Strata is `MemoryStorage` itself, run here, LRU and \
      OPT, the best that is possible, are computed here; \(rival) is the reference's. The lead is in points: more \
      than 2 points behind is marked.
      """,
      table: table)
    let worst = rows.min { $0.lead < $1.lead }
    if let worst {
      report.add(
        .holds(
          worst.lead >= -2,
          "\(Cell.number(worst.lead, decimals: 2, unit: "").shown) on \(worst.row.trace) at \(worst.row.size)",
          "hit ratio: no row more than 2 points below \(rival)'s"))
    }
  }

  private func addMeans(_ rows: [Found], _ policies: [String], _ report: inout Report) {
    var means = policies.map { name in (name, rows.map { $0.row.hitRatios[name] ?? .nan }.mean) }
    let ours = rows.map(\.strata).mean
    means.append(("Strata", ours))
    means.sort { $0.1 > $1.1 }
    var table = Table(["policy", "mean of \(rows.count) rows, %"])
    for (name, mean) in means { table.add([.text(name == "Strata" ? "**Strata**" : name), .percent(mean)]) }
    report.add("Means", table: table)
    let shown = Cell.percent(ours).shown + " %"
    for (name, mean) in means where name == Self.rival {
      report.add(
        .holds(ours >= mean, shown, "hit ratio: mean at least \(name)'s \(Cell.percent(mean).shown) %"))
    }
    report.add(.holds(ours >= 0.405, shown, "hit ratio: mean at least 40.50 %"))
    let others = means.filter { !["Strata", "OPT"].contains($0.0) }
    if let best = others.first {
      report.add(.holds(ours > best.1, shown, "hit ratio: mean above that of every other policy (\(best.0))"))
    }
  }

  /// Returns the rows of each trace, in the order of the table.
  private func grouped(_ reference: ReferenceTable) -> [(String, [ReferenceTable.Row])] {
    var names: [String] = []
    for row in reference.rows where !names.contains(row.trace) { names.append(row.trace) }
    return names.map { name in (name, reference.rows.filter { $0.trace == name }) }
  }

  private func file(of trace: String) throws -> String {
    for ending in ["txt.gz", "txt"] {
      let path = folder.appending(path: "\(trace).\(ending)").path
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    throw UsageError("\(folder.path) has no \(trace).txt.gz, though its hitratios.tsv names that trace")
  }
}
