import CommandTable

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let simulate = Verb(
    Command(
      "simulate", "show the hit ratio for each cache size, from a trace of your program",
      details: """
        A trace has a key a line, in the order in which the program asked for them; it may be compressed by gzip. The
        requests are given to the memory store itself. Large traces are sampled by their keys.
        """,
      arguments: [Argument("TRACE", "the file with the keys", completion: .file)],
      options: [
        Option(
          flag: "costs", "each line ends in the cost of its entry, such as its bytes; sizes are then costs"),
        Option(
          "sizes", "LIST", .text, "sizes to try, instead of twenty: entries, or shares of all, such as 1%,10%"
        ),
        Option(flag: "exact", "use every request of a large trace"),
        Option("svg", "FILE", .file, "write the curve as a picture"),
      ])
  ) { context in
    let path = try context.invocation.required("TRACE")
    guard Paths.isFile(path) else {
      throw Failure.missing("the trace is not a file, or does not exist", place: path)
    }
    context.watchSignals()
    let simulation = try Simulation(
      path: path, hasCosts: context.invocation.has("costs"), sizes: context.invocation.text("sizes"),
      isExact: context.invocation.has("exact")
    ) { try context.checkpoint("not all sizes were simulated") }
    if let file = context.invocation.text("svg") {
      do { try Data(simulation.picture.utf8).write(to: URL(filePath: file)) } catch {
        throw Failure(.failed, "failed", "cannot write the picture: \(error)", place: file)
      }
    }
    try context.output.document(simulation.json, text: simulation.text)
  }
}
