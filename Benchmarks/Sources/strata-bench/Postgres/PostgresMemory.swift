import BenchHarness
import Foundation
import Strata
import StrataPostgres

/// The cost of keeping memory in front of PostgreSQL coherent.
enum PostgresMemory {
  private typealias Memory = MemoryStorage<String, TypeWrapper>

  private static func chain(_ server: LocalPostgres, _ table: String) throws
    -> TypeWrapperStorage<HybridStorage<MemoryStorage<String, TypeWrapper>, PostgresStorage<String>>, Int>
  {
    let back = try PostgresStorage<String>(
      client: PostgresClient(config: server.config), table: table, durability: .unlogged)
    return TypeWrapperStorage(HybridStorage(front: Memory(), back: back), transformer: .codable(Int.self))
  }

  static func hits(_ server: LocalPostgres, _ operations: Int, _ report: inout Report) throws {
    Progress.say("postgres: hits in memory")
    let keys = [String](numbers: 0..<1_000)
    let draws = KeySequence.uniform(operations, of: keys.count, seed: 3).map { keys[$0] }
    let alone = TypeWrapperStorage(Memory(), transformer: .codable(Int.self))
    for (number, key) in keys.enumerated() { try alone.setObject(number, forKey: key) }
    let over = try chain(server, "hits")
    try waiting {
      for (number, key) in keys.enumerated() { try await over.setObject(number, forKey: key) }
      for key in keys {
        while over.peek(forKey: key) == nil { _ = try await over.object(forKey: key) }
      }
    }
    let found = try Comparison(operations: operations, rounds: 9).run([
      Contender("memory alone, awaited") { _, _ in try AsyncStore(store: alone).read(draws) },
      Contender("memory over PostgreSQL") { _, _ in try AsyncStore(store: over).read(draws) },
    ])
    report.add(
      "Hit in memory over PostgreSQL",
      "An integer under one of 1 000 String keys, drawn uniformly; one task.",
      table: ChainSuite.table(found, baseline: "memory alone, awaited", unit: ("ns", 1)))
    report.add(
      .atMost(
        1.2, found.of("memory over PostgreSQL").ratio(to: found.of("memory alone, awaited")),
        "a hit in memory over PostgreSQL, against one in memory alone"))
  }

  static func announcements(_ server: LocalPostgres, _ rounds: Int, _ report: inout Report) throws {
    Progress.say("postgres: announcements")
    let (writer, reader) = (try chain(server, "told"), try chain(server, "told"))
    var acknowledged: [Double] = []
    var told: [Double] = []
    try waiting { try await writer.setObject(-1, forKey: "a") }
    for round in 0..<rounds {
      let old = try waiting {
        while true {
          _ = try await reader.object(forKey: "a")
          if let entry = reader.peek(forKey: "a") { return entry.object }
        }
      }
      let watch = Stopwatch()
      let acknowledgement = Task.detached {
        try await writer.setObject(round, forKey: "a")
        return watch.nanoseconds
      }
      while reader.peek(forKey: "a")?.object == old { sched_yield() }
      told.append(Double(watch.nanoseconds) / 1_000)
      acknowledged.append(Double(try waiting { try await acknowledgement.value }) / 1_000)
    }
    var table = Table(["since the write was called, µs", "50 %", "99 %", "99.9 %"])
    for (name, times) in [
      ("the writer has its answer", acknowledged), ("the other has dropped the entry", told),
    ] {
      table.add([.text(name)] + [0.5, 0.99, 0.999].map { .measure(times.percentile($0)) })
    }
    report.add(
      "From a write to the memory of another",
      "Two clients of one server on the loopback; the other looks into its memory without pause.",
      table: table)
    for (share, bound) in [(0.5, 2_000.0), (0.99, 20_000)] {
      let time = told.percentile(share)
      report.add(
        .holds(
          time < bound, "\(Int(time)) µs",
          "from a write to the memory of another, \(Int(share * 100)) %: less than \(Int(bound / 1_000)) ms"))
    }
  }
}
