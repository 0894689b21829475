import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// A primary monitored by real sentinels.
@Suite(.timeLimit(.minutes(10))) struct RedisSentinelTests {
  /// A primary, its replica, and a sentinel that monitors both.
  private struct Rig: Sendable {
    let primary: RedisServer
    let replica: RedisServer
    let sentinel: RedisServer

    init() async throws {
      primary = try await RedisServer(["--repl-diskless-sync-delay", "0"])
      replica = try await RedisServer(["--repl-diskless-sync-delay", "0"])
      let (primary, replica) = (primary, replica)
      try await replica.run("REPLICAOF", "127.0.0.1", "\(primary.port)")
      try await eventually {
        try await primary.run("INFO", "replication").text?.contains("state=online") == true
      }
      sentinel = try await RedisServer.sentinel(of: primary)
      let sentinel = sentinel
      try await eventually {
        try await sentinel.run("SENTINEL", "REPLICAS", "mymaster").leaves.contains(
          .bulk(text("\(replica.port)")))
      }
    }
  }

  /// One rig for each test that changes its rig. All start with the first test, since each takes a second until it is
  /// ready.
  private static let rigs = (0..<3).map { _ in Task { try await Rig() } }

  init() { _ = Self.rigs }

  private func store(_ sentinels: [RedisServer], _ change: (inout RedisConfig) -> Void = { _ in }) throws
    -> RedisStorage<String>
  {
    let hosts = sentinels.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    var config = try RedisConfig(url: "redis-sentinel://\(hosts)/mymaster")
    config.timeout = .seconds(60)
    change(&config)
    return try RedisStorage(config: config, namespace: "s")
  }

  /// Tests both failovers concurrently, since most of the time is spent waiting.
  @Test("after a failure, and after a failover between running servers, the new primary is used")
  func failovers() async throws {
    async let failure: Void = failover()
    async let exchange: Void = exchangedRoles()
    _ = try await (failure, exchange)
  }

  private func failover() async throws {
    let rig = try await Self.rigs[0].value
    let (primary, replica, sentinel) = (rig.primary, rig.replica, rig.sentinel)
    let store = try store([sentinel])
    try await store.setObject(text("1"), forKey: "key")
    #expect(try await primary.run("GET", "s::key") == .bulk(text("1")))
    try await primary.untilReplicated()
    primary.kill()
    #expect(try await store.object(forKey: "key") == text("1"))
    try await store.setObject(text("2"), forKey: "key")
    #expect(try await replica.run("GET", "s::key") == .bulk(text("2")))
    #expect(try await replica.run("ROLE").leaves.first == .bulk(text("master")))
  }

  private func exchangedRoles() async throws {
    let rig = try await Self.rigs[1].value
    let (primary, replica, sentinel) = (rig.primary, rig.replica, rig.sentinel)
    let store = try store([sentinel])
    try await store.setObject(text("1"), forKey: "key")
    try await primary.untilReplicated()
    // The sentinel may not have detected yet that the replica is healthy.
    try await eventually { try await sentinel.run("SENTINEL", "FAILOVER", "mymaster") == .simple("OK") }
    try await eventually { try await primary.run("ROLE").leaves.first == .bulk(text("slave")) }
    // The sentinel ends the connections of the old primary, even with calls in flight.
    try await eventually { try await store.setObject(text("2"), forKey: "key") }
    #expect(try await replica.run("GET", "s::key") == .bulk(text("2")))
    #expect(try await store.object(forKey: "key") == text("2"))
  }

  @Test("one sentinel that answers is enough, and replicas can be read") func oneOfMany() async throws {
    let rig = try await Self.rigs[2].value
    let (primary, replica, sentinel) = (rig.primary, rig.replica, rig.sentinel)
    let dead = try await RedisServer()
    dead.kill()
    let store = try store([dead, sentinel]) { $0.readsFromReplicas = true }
    try await store.setObject(text("1"), forKey: "key")
    try await primary.untilReplicated()
    #expect(try await store.object(forKey: "key") == text("1"))
    #expect(try await replica.run("INFO", "commandstats").text?.contains("cmdstat_get:") == true)
  }

  @Test("a name unknown to the sentinel is an error") func unknownName() async throws {
    let sentinel = try await RedisServer.sentinel(of: try await RedisServer())
    let store = try store([sentinel]) { $0.sentinel?.name = "other" }
    let error = await failure { try await store.object(forKey: "key") }
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("no primary with the name \"other\"") == true)
    #expect(error?.place == sentinel.address.description)
  }

  @Test func urlsAreParsed() throws {
    let config = try RedisConfig(url: "redis-sentinel://ada:p%40ss@one:1,two,[::1]:3/mymaster?db=2")
    let addresses = [
      RedisAddress(host: "one", port: 1), RedisAddress(host: "two", port: 26_379),
      RedisAddress(host: "::1", port: 3),
    ]
    #expect(config.sentinel == RedisSentinel(addresses: addresses, name: "mymaster"))
    #expect(config.user == "ada" && config.password == "p@ss" && config.database == 2 && config.tls == nil)
    #expect(try RedisConfig(url: "rediss-sentinel://one/m").tls != nil)
  }

  @Test(arguments: [
    "redis-sentinel://", "redis-sentinel://:secret@one", "redis-sentinel://:secret@one/",
    "redis-sentinel://:secret@/m",
    "redis-sentinel://:secret@one,/m", "redis-sentinel://:secret@one:0/m", "redis-sentinel://:secret@one:x/m",
    "redis-sentinel://:secret@one/m/n", "redis-sentinel://:secret@one/m?db=x",
  ])
  func invalidURLsAreRefused(_ url: String) {
    let error = #expect(throws: StorageError.invalidConfiguration) { try RedisConfig(url: url) }
    #expect(error?.description.contains("secret") == false)
  }
}
