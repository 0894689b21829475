import BenchHarness
import BenchTraces

/// Recommends a cache size from a trace of the program that will use it.
enum SimulateSuite: Suite {
  static let name = "simulate"
  static let summary = "how big should my cache be? Which size buys which hit ratio, on your own trace"
  static let options = [
    Option("trace", value: "FILE", help: "what your program asks for: a key a line, also compressed by gzip"),
    Option("costs", help: "each line ends in what its entry costs, such as bytes; sizes are costs then"),
    Option("sizes", value: "LIST", help: "sizes to try, instead of twenty: entries, or shares of all (10%)"),
    Option("exact", help: "use every request of a large trace, instead of samples of its keys"),
  ]

  static func run(_ arguments: Arguments) throws -> Report {
    let path = try arguments.required("trace")
    Progress.say("simulate: reading \(path)")
    let trace = try Trace(path: path, hasCosts: arguments.has("costs"))
    let sampling = Sampling(of: trace, isExact: arguments.has("exact"))
    let whole = trace.totalCost
    let capacities =
      try arguments.value("sizes").map { (text) throws in try Capacities.parse(text, whole: whole) }
      ?? Capacities.spread(20, from: max(sampling.smallestCapacity, whole / 1000), to: whole)
    guard whole > 0 else { throw UsageError("all entries of \(path) cost nothing: any cache holds them") }
    return SimulationReport(
      trace: trace, sampling: sampling, found: try sampling.simulate(trace, capacities: capacities)
    ).report
  }
}
