import Strata
import StrataPostgres
import TestSupport
import Testing

@Suite(.endsInTime) struct PostgresEventTests {
  @Test("a chain over a server reports its failures and the reconnection")
  func events() async throws {
    let server = try await PostgresServer()
    let store = try server.store("events") { $0.timeout = .seconds(2) }
    let users = AsyncStorage<String, Int>(
      front: MemoryStorage(), back: store, transformer: .codable(Int.self))
    let log = EventLog(users)
    try await users.setObject(1, forKey: "a")
    #expect(log.take() == ["postgresql write a"])
    server.crash()
    #expect(await failure { try await users.setObject(2, forKey: "a") } != nil)
    #expect(await users.health(within: .seconds(1)).tiers.map(\.isAvailable) == [true, false])
    try await server.restart()
    try await eventually { await users.health().isAvailable }
    #expect(log.counts["postgresql"]?["reconnection"] ?? 0 >= 1)
    #expect(users.statistics["postgresql"]?.reconnections ?? 0 >= 1)
    #expect(users.statistics["postgresql"]?.failures ?? 0 >= 1)
  }
}
