import BenchHarness

/// A command that runs measurements.
protocol Suite {
  /// The command's name.
  static var name: String { get }
  /// A summary in one line.
  static var summary: String { get }
  /// The options of this suite, in addition to the options of all suites.
  static var options: [Option] { get }

  /// Runs the measurements.
  static func run(_ arguments: Arguments) throws -> Report
}

extension Suite {
  /// The options of every suite.
  static var commonOptions: [Option] {
    [
      Option("json", help: "print the results as JSON"),
      Option("plots", value: "FOLDER", help: "write the charts to this folder, as SVG"),
      Option("quick", help: "do a small part of the work, to test the suite; the times mean nothing"),
    ]
  }
}
