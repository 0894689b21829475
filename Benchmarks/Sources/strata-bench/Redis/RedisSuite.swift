import BenchHarness
import Foundation
import Strata
import StrataRedis

/// The throughput of a Redis store, compared with the server's own benchmark.
enum RedisSuite: Suite {
  static let name = "redis"
  static let summary = "RedisStorage against redis-benchmark on one server: 1, 16 and 64 tasks, 100 B values"
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    let server = try LocalRedis()
    let store = try RedisStorage<String>(config: RedisConfig(addresses: [server.address]), namespace: "bench")
    let traffic = RedisTraffic(store: store)
    let peer = RedisBenchmark(address: server.address)
    // Fills all keys, so that every read is a hit for both.
    try waiting { try await traffic.fill() }
    _ = try peer.run(.set, depth: 64, operations: 100_000)

    var report = Report("Redis")
    var table = Table([
      "operation", "tasks", "they run", "Strata/s", "redis-benchmark/s", "ratio", "50 % µs", "99 % µs",
      "99.9 % µs",
    ])
    for operation in RedisOperation.allCases {
      for tasks in [1, 16, 64] {
        Progress.say("redis: \(operation.rawValue) by \(tasks) tasks")
        let operations = isQuick ? 2_000 : min(10_000 * tasks, 100_000)
        var theirs: [Double] = []
        var places = [Place("in the pool", nil), Place("on the client's executor", RedisClient.executor)]
        for _ in 0..<(isQuick ? 1 : 5) {
          theirs.append(try peer.run(operation, depth: tasks, operations: operations))
          for number in places.indices {
            let executor = places[number].executor
            places[number].rounds.append(
              try waiting {
                try await traffic.run(operation, tasks: tasks, operations: operations, on: executor)
              })
          }
        }
        let name = operation.rawValue.uppercased()
        for place in places {
          let rates = place.rounds.map(\.rate)
          let latencies = place.rounds.flatMap(\.latencies)
          let ratio = zip(rates, theirs).map { $0 / $1 }.median
          table.add(
            [
              .text(name), .count(tasks), .text(place.name), .measure(rates.median), .measure(theirs.median),
              .ratio(ratio),
            ] + [0.5, 0.99, 0.999].map { .measure(latencies.percentile($0)) })
          report.add(
            .atLeast(0.7, ratio, "\(name) by \(tasks) tasks \(place.name), against redis-benchmark"))
        }
      }
    }
    report.add(
      "Against redis-benchmark",
      """
      Operations a second on one server of this machine, values of 100 B, 10 000 keys. Each task waits for its reply before it asks \
      again, and all share one connection; `redis-benchmark` has one connection and sends as many commands at once as there are \
      tasks (`-c 1 -P`). GET is `object`. ENTRY is `entryIfPresent`, which asks for the expiry too, beside a plain `GET` of \
      `redis-benchmark`. It only counts replies, in one thread; a task gets its `Data`, and is woken up for it, in Swift's pool of \
      threads or, with `RedisClient.executor`, on the thread of the client. A ratio is the median of those within each round.
      """, table: table)
    try RedisSizes.run(store, peer, isQuick, &report)
    return report
  }

  /// An executor for the tasks, and the results of the tasks on it.
  private struct Place {
    let name: String
    let executor: (any TaskExecutor)?
    var rounds: [Traffic.Round] = []

    init(_ name: String, _ executor: (any TaskExecutor)?) {
      self.name = name
      self.executor = executor
    }
  }
}
