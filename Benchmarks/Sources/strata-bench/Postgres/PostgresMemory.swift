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
    let measured = try Announcements(
      writer: AsyncStorage(writer), reader: AsyncStorage(reader), rounds: rounds)
    report.add(
      "From a write to the memory of another",
      "Two clients of one server on the loopback; the other looks into its memory without pause.",
      table: measured.table)
    for (share, bound) in [(0.5, 2_000.0), (0.99, 20_000)] {
      let time = measured.told.percentile(share)
      report.add(
        .holds(
          time < bound, "\(Int(time)) µs",
          "from a write to the memory of another, \(Int(share * 100)) %: less than \(Int(bound / 1_000)) ms"))
    }
  }
}
