import BenchHarness
import Foundation

/// The results of all suites on one machine. Their JSON is the data from which the page is made.
struct Results: Codable {
  /// The day of the measurement.
  var date = Date.now.formatted(.iso8601.year().month().day())
  var machine = Machine.description
  /// How long all suites took.
  var minutes = 0.0
  /// Whether the suites did only a small part of their work.
  var isQuick: Bool
  var reports: [Report] = []
  /// The suites that were not run, each with the reason.
  var omitted: [String] = []

  init(isQuick: Bool) { self.isQuick = isQuick }

  init(contentsOf path: String) throws {
    self = try JSONDecoder().decode(Results.self, from: Data(contentsOf: URL(filePath: path)))
  }
}

/// The command that prints results from their data.
extension Results {
  static let name = "results"
  static let summary = "prints the page of results that were measured before, or all tables of a suite"
  static let options = [
    Option("data", value: "FILE", help: "the data, as `all` writes it: Benchmarks/Results.json"),
    Option(
      "suite", value: "TITLE", help: "print all aims, tables and charts of this suite, such as Disk; or all"),
    Option(
      "add", value: "FILE", help: "put the report of another program, as JSON, into the data and its page"),
  ]

  static func show(_ arguments: Arguments) throws {
    let data = try arguments.required("data")
    var results = try Results(contentsOf: data)
    if let path = arguments.value("add") {
      let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: path)))
      results.reports = results.reports.filter { $0.title != report.title } + [report]
      return try results.write(besides: URL(filePath: data))
    }
    guard let title = arguments.value("suite") else { return print(results.page, terminator: "") }
    let reports = results.reports.filter { title == "all" || $0.title == title }
    guard !reports.isEmpty else {
      let titles = results.reports.map(\.title).joined(separator: ", ")
      throw UsageError("there is no suite \(title) in the data, only \(titles)")
    }
    for report in reports { print(report.markdown(plotsIn: "ResultsPlots")) }
  }

  /// Writes the data, and the page beside it.
  func write(besides file: URL) throws {
    let base = file.deletingPathExtension()
    try Data((json + "\n").utf8).write(to: base.appendingPathExtension("json"), options: .atomic)
    try Data(page.utf8).write(to: base.appendingPathExtension("md"), options: .atomic)
    Progress.say("wrote \(base.path).md and \(base.lastPathComponent).json")
  }
}
