import BenchHarness
import Foundation

/// Runs every suite and writes the results.
enum AllSuites {
  static let name = "all"
  static let summary = "every suite; writes the page of the results, with their data and charts beside it"
  static let options = [
    Option("output", value: "FILE", help: "the file to write, which must end in .md"),
    Option("traces", value: "FOLDER", help: "traces and hitratios.tsv for the suite hitratio; see README.md"),
    Option("quick", help: "do a small part of the work, to test the suite; the times mean nothing"),
  ]

  static func run(_ arguments: Arguments) throws {
    let output = URL(filePath: try arguments.required("output"))
    guard output.pathExtension == "md" else { throw UsageError("--output must end in .md") }
    let watch = Stopwatch()
    var results = Results(isQuick: arguments.has("quick"))
    for suite in StrataBench.suites { try run(suite, arguments, into: &results) }
    results.minutes = Double(watch.nanoseconds) / 6e10
    // What other programs have measured stays.
    let data = output.deletingPathExtension().appendingPathExtension("json")
    if FileManager.default.fileExists(atPath: data.path) {
      let old = try Results(contentsOf: data.path)
      results.reports += old.reports.filter { ["Peers", "Weight"].contains($0.title) }
    }

    for report in results.reports where !report.plots.isEmpty {
      try report.writePlots(to: output.deletingPathExtension().path + "Plots")
    }
    try results.write(besides: output)
  }

  private static func run(_ suite: any Suite.Type, _ arguments: Arguments, into results: inout Results) throws
  {
    var words = arguments.has("quick") ? ["--quick"] : []
    if suite == SimulateSuite.self { return }
    if suite == HitRatioSuite.self {
      guard let traces = arguments.value("traces") else {
        return results.omitted.append("Hit ratio: no traces were given (`make bench TRACES=folder`).")
      }
      words += ["--traces", traces, "--plots", "folder"]
    }
    results.reports.append(try suite.run(Arguments(words, options: suite.options + suite.commonOptions)))
  }
}
