import Strata
import StrataRedis
import TestSupport
import Testing

@Suite(.endsInTime) struct RedisEventTests {
  @Test("a chain over a server reports operations with their durations, failures, and the reconnection")
  func events() async throws {
    let server = try await RedisServer()
    let redis = try store(server.address, timeout: .milliseconds(500))
    let users = AsyncStorage<String, Int>(
      front: MemoryStorage(), back: redis, transformer: .codable(Int.self))
    let log = EventLog(users)
    try await users.setObject(1, forKey: "a")
    // The server reports changes: memory in front holds only what was read since.
    #expect(log.take() == ["redis write a"])
    #expect(try await users.object(forKey: "a") == 1)
    #expect(log.take() == ["memory miss a", "memory promotion a", "redis hit a"])
    #expect(try await users.object(forKey: "a") == 1)
    #expect(log.take() == ["memory hit a"])
    #expect(try await users.objectIfPresent(forKey: "b") == nil)
    #expect(log.take() == ["memory miss b", "redis miss b"])
    #expect(log.durations("redis", "write").count == 1 && log.durations("redis", "miss").count == 1)
    #expect(log.durations("memory", "hit").isEmpty)
    #expect(await users.health().isAvailable)

    server.kill()
    #expect(await failure { try await users.setObject(2, forKey: "a") } != nil)
    #expect(log.take().contains("redis failure a"))
    let down = await users.health(within: .seconds(5))
    #expect(down.tiers.map(\.isAvailable) == [true, false])
    #expect(down.tiers[1].since != nil)

    try await server.restart()
    try await eventually { await users.health().isAvailable }
    try await users.setObject(3, forKey: "a")
    #expect(log.counts["redis"]?["reconnection"] ?? 0 >= 1)
    let statistics = try #require(users.statistics["redis"])
    #expect(statistics.reconnections >= 1 && statistics.failures >= 1)
    #expect(statistics.writeTimes.count == statistics.writes)
    // A store outside of a chain reports what it does by itself.
    #expect(redis.statistics["redis"] == users.statistics["redis"])
  }
}
