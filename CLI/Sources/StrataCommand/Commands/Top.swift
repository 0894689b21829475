import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Verb {
  static let top = Verb(
    Command(
      "top", "show live rates, hits, latencies and sizes by tier",
      details: """
        STORE is the address of a store, or the URL of a page on which a program shows the OpenMetrics text of its stores.
        Only such a page has the program's own reads, hits and writes. Of a store, top shows the number of entries, the
        size, and how long ten questions for a key take. Redis adds the figures of the whole server, and PostgreSQL those
        of the table.

        On a terminal it shows a table until “q” is typed. Elsewhere it prints a row for each tier after each interval,
        with tabs between the columns, “-” for an unknown figure, times in milliseconds, and the error of a store that
        does not answer in the last column.
        """,
      arguments: [
        Argument(
          "STORE", "addresses of stores, or URLs of metrics", count: .many, completion: .program("store"))
      ],
      options: [
        Option(
          "interval", short: "i", "TIME", .duration, "the time between two readings; by default 2s"),
        Option("count", short: "c", "N", .count, "end after this number of intervals"),
        Option(flag: "entries", "count entries in S3 too, by requests that list all keys"),
      ] + .access + [Option("timeout", "TIME", .duration, "the maximum time for an answer; by default 2s")])
  ) { context in
    if context.output.form == .json { throw Failure.usage("rows are printed one by one: use --jsonl") }
    let interval = context.invocation.seconds("interval") ?? 2
    let limit = context.invocation.seconds("timeout") ?? 2
    var observed = try context.invocation.arguments("STORE").map { try Observed($0, context, limit: limit) }
    context.watchSignals()
    let start = try await Self.rows(of: &observed)
    if let failure = start.first?.failure, start.allSatisfy({ $0.failure != nil }) { throw failure }
    let isRedrawn =
      context.isForPerson && context.terminal.hasInput && context.environment["TERM"] != "dumb"
    if isRedrawn {
      try await Self.redraw(&observed, start, every: interval, context)
    } else {
      try await Self.print(&observed, every: interval, context)
    }
  }

  /// Reads all stores at the same time.
  private static func rows(of observed: inout [Observed]) async throws -> [Observed.Row] {
    for index in observed.indices { try observed[index].open() }
    let found = try await withThrowingTaskGroup(of: (Int, Observed, [Observed.Row]).self) { group in
      for (index, one) in observed.enumerated() {
        group.addTask {
          var one = one
          let rows = try await one.read()
          return (index, one, rows)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
    }
    observed = found.map(\.1)
    return found.flatMap(\.2)
  }

  /// Prints the rows of each interval below those of the last one.
  private static func print(
    _ observed: inout [Observed], every interval: Double, _ context: Context
  ) async throws {
    if context.output.form == .text { try context.output.line(TierColumn.header) }
    try context.output.flush()
    let count = context.invocation.count("count") ?? .max
    for round in 0..<count {
      try await context.pause(interval) { state(round) }
      let now = Date()
      for row in try await rows(of: &observed) {
        try context.output.record(row.json(now), text: row.line(now))
      }
      try context.output.flush()
    }
  }

  /// Shows a table in place of the last one until a key ends it.
  private static func redraw(
    _ observed: inout [Observed], _ start: [Observed.Row], every interval: Double, _ context: Context
  ) async throws {
    let keyboard = RawTerminal()
    var rows = start
    var height = 0
    for round in 0...(context.invocation.count("count") ?? .max - 1) {
      if round > 0 { rows = try await self.rows(of: &observed) }
      let size = Terminal.size ?? (columns: 80, rows: 24)
      let lines = TierColumn.table(rows, size, context.terminal)
      let up = height == 0 ? "" : "\u{1B}[\(height)A"
      try context.output.write(up + "\r" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
      try context.output.flush()
      height = lines.count
      if round == context.invocation.count("count") { return }
      let end = Context.seconds() + interval
      repeat {
        try await context.pause(min(0.05, max(0, end - Context.seconds()))) { state(round) }
        switch keyboard.typed() {
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x04: return
        case 0x03: throw Interrupted(signal: SIGINT, state: state(round))
        default: break
        }
      } while Context.seconds() < end
    }
  }

  private static func state(_ round: Int) -> String {
    round == 1 ? "showed 1 interval" : "showed \(Units.count(round)) intervals"
  }
}
