import BenchHarness
import Foundation

/// Measures Strata against what a program would use without it.
@main
struct StrataBench {
  static var suites: [any Suite.Type] { [MemorySuite.self, HitRatioSuite.self, SimulateSuite.self] }

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
    guard let suite = suites.first(where: { $0.name == command }) else {
      throw UsageError("there is no suite \(command); --help lists those there are")
    }
    if words.contains("--help") { return print(suite.help) }
    let arguments = try Arguments(words.dropFirst(), options: suite.options + suite.commonOptions)
    let report = try suite.run(arguments)
    let folder = arguments.value("plots")
    if let folder { try report.writePlots(to: folder) }
    print(arguments.has("json") ? try report.json : report.markdown(plotsIn: folder))
  }

  static var help: String {
    let width = (suites.map { $0.name.count }.max() ?? 0) + 2
    let lines = suites.map { suite in
      "  " + suite.name.padding(toLength: width, withPad: " ", startingAt: 0) + suite.summary
    }
    return """
      strata-bench SUITE [options]

      \(lines.joined(separator: "\n"))

      strata-bench SUITE --help lists the options of a suite. Results go to standard output, progress to
      standard error.
      """
  }

  static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("strata-bench: \(message)\n".utf8))
    exit(code)
  }
}
