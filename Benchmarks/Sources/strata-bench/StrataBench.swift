import BenchHarness
import Foundation

/// Measures Strata against the code that a program would use without it.
@main
struct StrataBench {
  static var suites: [any Suite.Type] {
    [
      MemorySuite.self, HitRatioSuite.self, SimulateSuite.self, ChainSuite.self, CodecSuite.self,
      BackendsSuite.self, DiskSuite.self, RedisSuite.self, PostgresSuite.self, CoherenceSuite.self,
      ScalingSuite.self, SecretsSuite.self, S3Suite.self, StreamsSuite.self, ThreadsSuite.self,
    ]
  }

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as UsageError {
      fail("\(error)", code: 64)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  static func run(_ words: [String]) throws {
    guard let command = words.first, command != "--help", command != "help" else { return print(help) }
    if command == FootprintProbe.command { return try FootprintProbe.answer(words.dropFirst()) }
    if command == AllSuites.name {
      return try run(words, AllSuites.summary, AllSuites.options, AllSuites.run)
    }
    if command == Results.name { return try run(words, Results.summary, Results.options, Results.show) }
    guard let suite = suites.first(where: { $0.name == command }) else {
      throw UsageError("there is no suite \(command); --help lists all suites")
    }
    if words.contains("--help") {
      return print(help(of: suite.name, suite.summary, suite.options + suite.commonOptions))
    }
    let arguments = try Arguments(words.dropFirst(), options: suite.options + suite.commonOptions)
    let report = try suite.run(arguments)
    let folder = arguments.value("plots")
    if let folder { try report.writePlots(to: folder) }
    print(arguments.has("json") ? try report.json : report.markdown(plotsIn: folder))
  }

  private static func run(
    _ words: [String], _ summary: String, _ options: [Option], _ command: (Arguments) throws -> Void
  ) throws {
    if words.contains("--help") { return print(help(of: words[0], summary, options)) }
    try command(Arguments(words.dropFirst(), options: options))
  }

  /// Returns the help of a command.
  static func help(of name: String, _ summary: String, _ options: [Option]) -> String {
    let options = options + [Option("help", help: "print this")]
    return "strata-bench \(name): \(summary)\n\n" + columns(options.map { ($0.usage, $0.help) })
  }

  private static var help: String {
    let others = [(AllSuites.name, AllSuites.summary), (Results.name, Results.summary)]
    let lines = columns(suites.map { ($0.name, $0.summary) } + others)
    return """
      strata-bench SUITE [options]

      \(lines)

      strata-bench SUITE --help lists the options of a suite. Results go to standard output, progress to
      standard error.
      """
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = (rows.map { $0.0.count }.max() ?? 0) + 2
    return rows.map { "  " + $0.0.padding(toLength: width, withPad: " ", startingAt: 0) + $0.1 }
      .joined(separator: "\n")
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("strata-bench: \(message)\n".utf8))
    exit(code)
  }
}
