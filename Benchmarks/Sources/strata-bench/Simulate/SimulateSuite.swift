import BenchHarness
import CacheSimulation

/// Recommends a cache size from a trace of the program that will use it.
enum SimulateSuite: Suite {
  static let name = "simulate"
  static let summary = "how big should my cache be? The hit ratio for each size, from your own trace"
  static let options = [
    Option(
      "trace", value: "FILE", help: "the requests of your program: one key per line, also compressed by gzip"),
    Option("costs", help: "each line ends in the cost of its entry, such as its bytes; sizes are then costs"),
    Option("sizes", value: "LIST", help: "sizes to try, instead of twenty: entries, or shares of all (10%)"),
    Option("exact", help: "use every request of a large trace, instead of samples of its keys"),
  ]

  static func run(_ arguments: Arguments) throws -> Report {
    let path = try arguments.required("trace")
    Progress.say("simulate: reading \(path)")
    return try SimulationReport(
      path: path, hasCosts: arguments.has("costs"), sizes: arguments.value("sizes"),
      isExact: arguments.has("exact")
    ) { Progress.say("simulate: \(Cell.count($0).shown)") }.report
  }
}
