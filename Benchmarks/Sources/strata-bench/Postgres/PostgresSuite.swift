import BenchHarness
import Foundation
import Strata
import StrataPostgres

/// The throughput of a PostgreSQL store, compared with `pgbench`, and the cost of coherent memory in front of it.
enum PostgresSuite: Suite {
  static let name = "postgres"
  static let summary =
    "PostgresStorage against pgbench: 1, 16 and 64 tasks, 100 B values; batches, memory in front"
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    let server = try LocalPostgres()
    let client = PostgresClient(config: server.config)
    let store = try PostgresStorage<String>(
      client: client, table: "bench", durability: .unlogged, announcing: .off)
    let traffic = PostgresTraffic(store: store)
    try waiting { try await traffic.fill() }
    var report = Report("PostgreSQL")
    try throughput(server, traffic, isQuick, &report)
    try batches(traffic, isQuick, &report)
    try PostgresMemory.hits(server, isQuick ? 5_000 : 300_000, &report)
    try PostgresMemory.announcements(server, isQuick ? 20 : 1_000, &report)
    return report
  }

  private static func throughput(
    _ server: LocalPostgres, _ traffic: PostgresTraffic, _ isQuick: Bool, _ report: inout Report
  ) throws {
    var table = Table([
      "operation", "tasks", "they run", "Strata/s", "pgbench/s", "ratio", "50 % µs", "99 % µs", "99.9 % µs",
    ])
    for operation in PostgresTraffic.Operation.allCases {
      for tasks in [1, 16, 64] {
        Progress.say("postgres: \(operation.rawValue) by \(tasks) tasks")
        let operations = isQuick ? 1_000 : 4_000 + 500 * tasks
        let places: [(name: String, executor: (any TaskExecutor)?)] = [
          ("in the pool", nil), ("on the client's executor", PostgresClient.executor),
        ]
        var theirs: [Double] = []
        var rounds: [[Traffic.Round]] = [[], []]
        for _ in 0..<(isQuick ? 1 : 5) {
          theirs.append(
            try server.pgbench(operation.script, clients: tasks, statements: operations))
          for (number, place) in places.enumerated() {
            rounds[number].append(
              try waiting {
                try await traffic.run(operation, tasks: tasks, operations: operations, on: place.executor)
              })
          }
        }
        for (place, rounds) in zip(places, rounds) {
          let rates = rounds.map(\.rate)
          let latencies = rounds.flatMap(\.latencies)
          let ratio = zip(rates, theirs).map { $0 / $1 }.median
          table.add(
            [
              .text(operation.rawValue), .count(tasks), .text(place.name), .measure(rates.median),
              .measure(theirs.median), .ratio(ratio),
            ] + [0.5, 0.99, 0.999].map { .measure(latencies.percentile($0)) })
          report.add(
            .atLeast(0.7, ratio, "\(operation.rawValue) by \(tasks) tasks \(place.name), against pgbench"))
        }
      }
    }
    report.add(
      "Against pgbench",
      """
      Operations a second on one server of this machine, values of 100 B in an unlogged table of 10 000 rows. Each task waits for its \
      reply before it asks again, and all share up to eight connections; `pgbench` has a connection for each of as many clients, and \
      prepared statements of the same effect on the same table. A ratio is the median of those within each round.
      """, table: table)
  }

  private static func batches(_ traffic: PostgresTraffic, _ isQuick: Bool, _ report: inout Report) throws {
    Progress.say("postgres: batches")
    var ratios: [Double] = []
    for _ in 0..<(isQuick ? 1 : 5) {
      let single = try waiting {
        try await traffic.run(.put, tasks: 1, operations: isQuick ? 100 : 2_000, on: nil)
      }
      let many = try waiting { try await traffic.batches(of: 1_000, count: isQuick ? 2 : 20) }
      ratios.append(many / single.rate)
    }
    report.add(
      .atLeast(20, ratios.median, "entries stored a second in batches of 1 000, against one after the other"))
  }
}
