import BenchHarness

/// A command that measures something.
protocol Suite {
  /// The word for it at the terminal.
  static var name: String { get }
  /// What it measures, in one line.
  static var summary: String { get }
  /// What it understands, beside what all suites do.
  static var options: [Option] { get }

  /// Measures.
  static func run(_ arguments: Arguments) throws -> Report
}

extension Suite {
  /// What every suite understands.
  static var commonOptions: [Option] {
    [
      Option("json", help: "print the results as JSON"),
      Option("plots", value: "FOLDER", help: "write the charts there, as SVG"),
      Option("quick", help: "a small part of the work: shows that all runs, not how fast"),
    ]
  }
}
