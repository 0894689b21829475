import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let ping = Verb(
    Command(
      "ping", "ask stores whether they answer, and how fast",
      details: """
        Asks each store for one key, all at the same time, and prints a line for each. Ends with status 0 if all of them
        have answered each time, and with 1 otherwise. Changes nothing, and creates no store.
        """,
      arguments: [.stores],
      options: [
        Option("count", short: "c", "N", .count, "times to ask; by default 1, 0 for no end"),
        Option("interval", short: "i", "TIME", .duration, "the time between two questions; by default 1s"),
      ] + .access + [Option("timeout", "TIME", .duration, "the maximum time for an answer; by default 2s")])
  ) { context in
    let count = context.invocation.count("count") ?? 1
    let interval = context.invocation.seconds("interval") ?? 1
    let limit = context.invocation.seconds("timeout") ?? 2
    var probes = context.invocation.arguments("STORE").map { Probe($0, context, limit: limit) }
    var answered = probes.map { _ in [Double]() }
    var round = 0
    context.watchSignals()
    context.output.beginRecords()
    while true {
      for index in probes.indices { try probes[index].open() }
      for (index, answer) in await Self.answers(of: &probes).enumerated() {
        if answer.failure == nil { answered[index].append(answer.seconds) }
        let address = probes[index].address
        try context.output.record(answer.json(address), text: answer.text(address, context.terminal))
      }
      try context.output.flush()
      round += 1
      if round == count { break }
      try await context.pause(interval) { "asked \(round == 1 ? "once" : "\(Units.count(round)) times")" }
    }
    if count > 1, context.output.form == .text {
      for (probe, times) in zip(probes, answered) {
        try context.output.say(Self.summary(probe.address, times.sorted(), of: count))
      }
    }
    try context.output.endRecords()
    if answered.contains(where: { $0.count < count }) { throw CommandEnd(code: .failed) }
  }

  /// Asks all stores at the same time.
  private static func answers(of probes: inout [Probe]) async -> [Probe.Answer] {
    let found = await withTaskGroup(of: (Int, Probe, Probe.Answer).self) { group in
      for (index, probe) in probes.enumerated() {
        group.addTask {
          var probe = probe
          let answer = await probe.ask()
          return (index, probe, answer)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
    }
    probes = found.map(\.1)
    return found.map(\.2)
  }

  private static func summary(_ address: String, _ times: [Double], of count: Int) -> String {
    let text = "\(Terminal.safe(address)): \(times.count) of \(count) answered"
    guard let first = times.first, let last = times.last else { return text }
    let median = times[times.count / 2]
    return "\(text), min \(Units.time(first)), median \(Units.time(median)), max \(Units.time(last))"
  }
}

extension Probe.Answer {
  fileprivate func json(_ address: String) -> JSON {
    .object([
      "store": .text(address), "available": .bool(failure == nil),
      "seconds": failure == nil ? .number(seconds) : .null,
      "since": since.map { .text(Timestamp.text($0)) } ?? .null, "error": failure?.json["error"] ?? .null,
    ])
  }

  fileprivate func text(_ address: String, _ terminal: Terminal) -> String {
    let name = Terminal.safe(address)
    guard let failure, let since else {
      return "\(name): \(terminal.styled("answers", .green)) in \(Units.time(seconds))"
    }
    let state = terminal.styled("not available", .red)
    return "\(name): \(state) since \(Timestamp.text(since)): \(Terminal.safe(failure.message))"
      + (failure.advice.map { "\n  \($0)" } ?? "")
  }
}
