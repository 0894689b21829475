import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// A writer whose clock is an hour behind the server's: dates in its future are past for the server.
@Suite(.timeLimit(.minutes(10))) struct RedisClockTests {
  private let server: RedisServer
  private let clock = ManualClock(Date(timeIntervalSinceNow: -3600))
  private let store: RedisStorage<String>

  init() async throws {
    server = try await RedisServer()
    store = try Self.store(server, clock, .never)
  }

  private static func store(_ server: RedisServer, _ clock: ManualClock, _ expiry: Expiry) throws
    -> RedisStorage<String>
  {
    let config = RedisConfig(addresses: [server.address], timeout: .seconds(60))
    return try RedisStorage(
      client: RedisClient(config: config), namespace: "s", expiry: expiry, clock: clock.clock)
  }

  /// A hundred seconds from now, by the writer's clock.
  private var soon: Expiry { .date(clock.date.addingTimeInterval(100)) }

  /// Checks that the entry is stored for the duration that the writer meant.
  private func expectLife(_ key: String, _ value: String, sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    #expect(try await server.run("GET", "s::\(key)") == .bulk(text(value)), sourceLocation: sourceLocation)
    guard case .integer(let left) = try await server.run("PTTL", "s::\(key)") else { throw Failure.first }
    #expect(0 < left && left <= 100_000, sourceLocation: sourceLocation)
  }

  @Test func setObjectKeepsTheDuration() async throws {
    try await store.setObject(text("old"), forKey: "a")
    try await store.setObject(text("1"), forKey: "a", expiry: soon)
    try await expectLife("a", "1")
    try await store.setObjects(["b": text("2"), "c": text("3")], expiry: soon)
    try await expectLife("b", "2")
    try await expectLife("c", "3")
    #expect(try await store.object(forKey: "a") == text("1"))
    #expect(try await store.entry(forKey: "a").expiry.isExpired(by: clock.clock) == false)
  }

  @Test func setIfAbsentKeepsTheDuration() async throws {
    #expect(try await store.setIfAbsent(text("1"), forKey: "a", expiry: soon))
    try await expectLife("a", "1")
    #expect(try await !store.setIfAbsent(text("2"), forKey: "a", expiry: soon))
    try await expectLife("a", "1")
  }

  @Test func touchKeepsTheDuration() async throws {
    #expect(try await !store.touch(forKey: "a", expiry: soon))
    try await store.setObject(text("1"), forKey: "a")
    #expect(try await store.touch(forKey: "a", expiry: soon))
    try await expectLife("a", "1")
  }

  @Test func incrementKeepsTheDuration() async throws {
    let store = try Self.store(server, clock, soon)
    #expect(try await store.increment(forKey: "a", by: 2) == 2)
    #expect(try await store.increment(forKey: "a", by: 3) == 5)
    try await expectLife("a", "5")
  }

  @Test func datesPastByTheWritersClockAreExpired() async throws {
    let past = Expiry.date(clock.date.addingTimeInterval(-1))
    try await store.setObject(text("1"), forKey: "a", expiry: past)
    try await store.setObject(text("1"), forKey: "b")
    #expect(try await store.touch(forKey: "b", expiry: past))
    #expect(try await server.run("EXISTS", "s::a", "s::b") == .integer(0))
  }
}
