import BenchHarness
import Foundation
import Strata

/// One store that more threads and tasks use than the machine has processors.
enum ThreadsSuite: Suite {
  static let name = "threads"
  static let summary =
    "1 to 64 threads and tasks that use one store: memory, disk and chains, against their peers"
  static let options = [
    Option("only", value: "PARTS", help: "of memory,disk,chain,tasks: these, separated by commas")
  ]

  static func run(_ arguments: Arguments) throws -> Report {
    let parts = arguments.value("only")?.split(separator: ",").map(String.init)
    let measure = ThreadTimings(Throughput(isQuick: arguments.has("quick")))
    var report = Report("Threads")
    try withTemporaryFolder { folder in
      for (part, run) in ThreadTimings.parts where parts?.contains(part) ?? true {
        Progress.say("threads: \(part)")
        let rows = try run(measure)(folder)
        report.add(title(part), text, table: table(rows))
        for row in rows where row.isOurs {
          report.add(.atLeast(0.8, row.ratio, "\(row.store), \(row.operation), \(row.keys): 16 × one"))
        }
      }
    }
    return report
  }

  private static func title(_ part: String) -> String { part.prefix(1).uppercased() + part.dropFirst() }

  private static let text = """
    Thousands of operations a second, of all threads or tasks together: the best of three runs. The last column is what \
    16 do, as a multiple of what one does; the worst rows are first. `get` reads keys that exist, `put` overwrites them, \
    `mixed` is nine gets for each put.
    """

  /// Returns a table with the rows first that lose most with 16 threads.
  private static func table(_ rows: [ThreadRow]) -> Table {
    var table = Table(
      ["store", "operation", "keys"] + Throughput.counts.map { "\($0)" } + ["16 × 1"])
    for row in rows.sorted(by: { $0.ratio < $1.ratio }) {
      table.add(
        [.text(row.store), .text(row.operation), .text(row.keys)]
          + row.rates.map { .measure($0 / 1000) } + [.ratio(row.ratio)])
    }
    return table
  }
}

/// The operations a second of one kind, for each number of threads.
struct ThreadRow {
  let store: String
  let operation: String
  let keys: String
  let rates: [Double]
  /// Whether the store is one of Strata's.
  let isOurs: Bool

  /// What 16 threads do, as a multiple of what one does.
  var ratio: Double { zip(Throughput.counts, rates).first { $0.0 == 16 }.map { $0.1 / rates[0] } ?? 0 }
}
