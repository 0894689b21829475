import BenchHarness
import Foundation
import StrataRedis

/// Overwrites of values of several sizes, compared with plain `SET`s by the server's own benchmark.
enum RedisSizes {
  private static let keys = 16

  static func run(
    _ store: RedisStorage<String>, _ peer: RedisBenchmark, _ isQuick: Bool, _ report: inout Report
  ) throws {
    var table = Table(["value", "tasks", "µs a put", "redis-benchmark, µs", "ratio"])
    for (size, name) in [
      (1_000, "1 kB"), (10_000, "10 kB"), (60_000, "60 kB"), (100_000, "100 kB"), (1_000_000, "1 MB"),
    ] {
      for tasks in [1, 16] {
        Progress.say("redis: put of \(name) by \(tasks) tasks")
        let operations = isQuick ? 64 : max(80_000_000 / size, 320)
        let value = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for _ in 0..<(isQuick ? 1 : 5) {
          theirs.append(
            1e6 / (try peer.run(.set, depth: tasks, operations: operations, size: size, keys: keys)))
          let round = try waiting {
            try await Traffic.run(tasks: tasks, operations: operations, keys: keys, on: nil) { draw in
              try await store.setObject(value, forKey: "large \(draw)", expiry: nil)
            }
          }
          ours.append(1e6 / round.rate)
        }
        table.add([
          .text(name), .count(tasks), .measure(ours.median), .measure(theirs.median),
          .ratio(zip(ours, theirs).map { $0 / $1 }.median),
        ])
      }
    }
    let batch = Dictionary(
      uniqueKeysWithValues: (0..<1_000).map { ("batch \($0)", Data(repeating: 7, count: 100)) })
    var times: [Double] = []
    for _ in 0..<(isQuick ? 2 : 200) {
      let watch = Stopwatch()
      try waiting { try await store.setObjects(batch, expiry: nil) }
      times.append(Double(watch.nanoseconds) / 1_000)
    }
    table.add([.text("1 000 × 100 B in a batch"), .count(1), .measure(times.median), .text(""), .text("")])
    report.add(
      "Values of several sizes",
      """
      Writes over old values of the same size. `redis-benchmark` sends plain `SET`s, which would also replace lists of other \
      programs, from one thread and from one buffer, as many at once as there are tasks.
      """, table: table)
  }
}
