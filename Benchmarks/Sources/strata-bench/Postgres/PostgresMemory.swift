import BenchHarness
import Foundation
import Strata
import StrataPostgres

/// The cost of keeping memory in front of PostgreSQL coherent.
enum PostgresMemory {
  private typealias Memory = MemoryStorage<String, TypeWrapper>

  private static func chain<Value: Codable & Sendable>(
    _ server: LocalPostgres, _ table: String, of type: Value.Type,
    announcing: PostgresAnnouncing = .statements
  ) throws -> TypeWrapperStorage<HybridStorage<Memory, PostgresStorage<String>>, Value> {
    let back = try PostgresStorage<String>(
      client: PostgresClient(config: server.config), table: table, durability: .unlogged,
      announcing: announcing)
    return TypeWrapperStorage(HybridStorage(front: Memory(), back: back), transformer: .codable(type))
  }

  static func hits(_ server: LocalPostgres, _ operations: Int, _ report: inout Report) throws {
    Progress.say("postgres: hits in memory")
    let keys = [String](numbers: 0..<1_000)
    let draws = KeySequence.uniform(operations, of: keys.count, seed: 3).map { keys[$0] }
    let values = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, Reading(number: $0)) })
    let alone = TypeWrapperStorage(Memory(), transformer: .codable(Reading.self))
    for (key, value) in values { try alone.setObject(value, forKey: key) }
    let untold = try chain(server, "untold", of: Reading.self, announcing: .off)
    let over = try chain(server, "hits", of: Reading.self)
    try waiting {
      for chain in [untold, over] {
        try await chain.setObjects(values, expiry: nil)
        // Values are read and decoded on both sides. A value that was written would be a live object, and faster.
        for key in keys {
          try await chain.removeInMemoryObject(forKey: key)
          while chain.peek(forKey: key) == nil { _ = try await chain.object(forKey: key) }
        }
      }
    }
    let found = try Comparison(operations: operations, rounds: 9).run([
      Contender("memory alone, awaited") { _, _ in try AsyncStore(store: alone).read(draws) },
      Contender("memory over PostgreSQL without triggers") { _, _ in
        try AsyncStore(store: untold).read(draws)
      },
      Contender("memory over PostgreSQL") { _, _ in try AsyncStore(store: over).read(draws) },
    ])
    report.add(
      "Hit in memory over PostgreSQL",
      "A struct of three fields under one of 1 000 String keys, drawn uniformly; one task.",
      table: ChainSuite.table(found, baseline: "memory alone, awaited", unit: ("ns", 1)))
    for (other, name) in [
      ("memory alone, awaited", "in memory alone"),
      ("memory over PostgreSQL without triggers", "in memory without triggers"),
    ] {
      report.add(
        .atMost(
          1.2, found.of("memory over PostgreSQL").ratio(to: found.of(other)),
          "a hit in memory over PostgreSQL, against one \(name)"))
    }
  }

  static func announcements(_ server: LocalPostgres, _ rounds: Int, _ report: inout Report) throws {
    Progress.say("postgres: announcements")
    let (writer, reader) = (try chain(server, "told", of: Int.self), try chain(server, "told", of: Int.self))
    let measured = try Announcements(
      writer: AsyncStorage(writer), reader: AsyncStorage(reader), rounds: rounds)
    report.add(
      "From a write to the memory of another",
      "Two clients of one server on the loopback; the second one reads its memory without pause.",
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
