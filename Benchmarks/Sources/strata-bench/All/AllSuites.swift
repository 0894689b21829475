import BenchHarness
import Foundation

/// Runs every suite and writes the results.
enum AllSuites {
  static let name = "all"
  static let summary = "every suite; writes the results as Markdown, with the charts beside them"
  static let options = [
    Option("output", value: "FILE", help: "the file to write, which must end in .md"),
    Option("traces", value: "FOLDER", help: "traces and hitratios.tsv for the suite hitratio; see README.md"),
    Option("quick", help: "do a small part of the work, to test the suite; the times mean nothing"),
  ]

  /// The outcome of a suite: its report, or the reason why it was omitted.
  private enum Outcome {
    case report(Report)
    case leftOut(String, reason: String)
  }

  static func run(_ arguments: Arguments) throws {
    let output = URL(filePath: try arguments.required("output"))
    guard output.pathExtension == "md" else { throw UsageError("--output must end in .md") }
    let watch = Stopwatch()
    let outcomes = try StrataBench.suites.compactMap { try outcome($0, arguments) }
    let minutes = Double(watch.nanoseconds) / 6e10

    let plots = output.deletingPathExtension().lastPathComponent + "Plots"
    let folder = output.deletingLastPathComponent().appending(path: plots)
    for case .report(let report) in outcomes where !report.plots.isEmpty {
      try report.writePlots(to: folder.path)
    }
    try Data(page(outcomes, minutes, arguments, plots).utf8).write(to: output, options: .atomic)
    Progress.say("wrote \(output.path)")
  }

  private static func outcome(_ suite: any Suite.Type, _ arguments: Arguments) throws -> Outcome? {
    var words = arguments.has("quick") ? ["--quick"] : []
    if suite == SimulateSuite.self { return nil }
    if suite == HitRatioSuite.self {
      guard let traces = arguments.value("traces") else {
        return .leftOut("Hit ratio", reason: "not run: no traces were given (`make bench TRACES=folder`).")
      }
      words += ["--traces", traces, "--plots", "folder"]
    }
    return .report(try suite.run(Arguments(words, options: suite.options + suite.commonOptions)))
  }

  private static func page(
    _ outcomes: [Outcome], _ minutes: Double, _ arguments: Arguments, _ plots: String
  ) -> String {
    let isQuick = arguments.has("quick")
    let aims = outcomes.flatMap { outcome in
      if case .report(let report) = outcome { report.aims } else { [Aim]() }
    }
    var blocks = [
      """
      # Results

      Written by `make bench`, in \(Cell.number(minutes, decimals: 1, unit: "").shown) minutes, on \(Machine.description). \
      README.md beside this file says how it measures. Times are of this machine on that day; what can be compared with \
      another are the ratios, each taken within one run.
      """.wrapped(columns: 120)
    ]
    blocks.append(
      isQuick
        ? "**A quick run: it shows that everything runs, and says nothing of speed.**"
        : "## Aims\n\n\(Report.table(of: aims).markdown)")
    for outcome in outcomes {
      switch outcome {
      case .report(let report): blocks.append(report.markdown(level: 2, plotsIn: plots, withAims: false))
      case .leftOut(let title, let reason): blocks.append("## \(title)\n\n\(title): \(reason)")
      }
    }
    return blocks.map { $0.trimmingCharacters(in: .newlines) }.joined(separator: "\n\n") + "\n"
  }
}
