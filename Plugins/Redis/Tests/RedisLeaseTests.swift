import Foundation
import Strata
import StrataCore
import StrataRedis
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .endsInTime) struct RedisLeaseTests {
  static let server = Task { try await RedisServer() }

  func store(_ namespace: String = #function, tracking: RedisTracking = .off) async throws -> RedisStorage<
    String
  > {
    let server = try await Self.server.value
    return try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address], timeout: .seconds(30), tracking: tracking),
      namespace: namespace)
  }

  @Test func aLeaseIsExclusiveUntilItIsReleased() async throws {
    let (one, other) = (try await store(), try await store())
    let lease = try #require(try await one.acquire("a", for: .seconds(60)))
    #expect(try await other.acquire("a", for: .seconds(60)) == nil)
    #expect(try await other.acquire("b", for: .seconds(60)) != nil)
    #expect(try await one.extend(lease, of: "a", for: .seconds(60)))
    try await lease.whileHeld { try await one.setObject(text("1"), forKey: "a", expiry: .seconds(60)) }
    try await one.release(lease, of: "a")
    #expect(try await !one.extend(lease, of: "a", for: .seconds(60)))
    let next = try #require(try await other.acquire("a", for: .seconds(60)))
    // Releasing a lease again does not release the next holder's.
    try await one.release(lease, of: "a")
    #expect(try await one.acquire("a", for: .seconds(60)) == nil)
    try await other.release(next, of: "a")
    // Leases are not listed as entries.
    #expect(try await one.keys() == ["a"])
    #expect(try await one.expiryIfPresent(forKey: "a") != .never)
  }

  @Test(arguments: [1, 5000]) func aWriteUnderALostLeaseIsRefused(_ size: Int) async throws {
    let (one, other) = (try await store(), try await store())
    let lease = try #require(try await one.acquire("a\(size)", for: .seconds(60)))
    // Removes the lease, as the server does when it expires.
    let server = try await Self.server.value
    try await server.run("FLUSHALL")
    let next = try #require(try await other.acquire("a\(size)", for: .seconds(60)))
    try await next.whileHeld { try await other.setObject(text("next"), forKey: "a\(size)", expiry: nil) }
    await #expect(throws: StorageError.leaseLost) {
      try await lease.whileHeld { try await one.setObject(large(size), forKey: "a\(size)", expiry: nil) }
    }
    #expect(try await one.object(forKey: "a\(size)") == text("next"))
  }

  @Test func aBatchUnderALostLeaseIsRefused() async throws {
    try await expectRefusedBatches(store(), store())
  }

  @Test func aBatchUnderALeaseNeedsOneSlotInACluster() async throws {
    let servers = try await RedisServers.shared.value
    let store = try RedisStorage<String>(config: servers.config(timeout: .seconds(30)), namespace: "batches")
    let lease = try #require(try await store.acquire("{tag} a", for: .seconds(60)))
    try await lease.whileHeld {
      try await store.setObjects(["{tag} a": text("1"), "{tag} b": text("1")], expiry: nil)
    }
    await #expect(throws: StorageError.invalidConfiguration) {
      try await lease.whileHeld {
        try await store.setObjects(["{tag} a": text("2"), "{other} b": text("2")], expiry: nil)
      }
    }
    try await store.release(lease, of: "{tag} a")
    #expect(
      try await store.entries(forKeys: ["{tag} a", "{tag} b"]).values.map(\.object) == [text("1"), text("1")])
  }

  @Test(arguments: ["plain", "with {a tag} in it", "open { brace", "{}"])
  func leaseAndEntryShareASlotInACluster(_ key: String) async throws {
    let servers = try await RedisServers.shared.value
    let store = try RedisStorage<String>(config: servers.config(timeout: .seconds(30)), namespace: "leases")
    if key == "{}" {
      await #expect(throws: StorageError.invalidConfiguration) {
        try await store.acquire(key, for: .seconds(60))
      }
      return
    }
    let lease = try #require(try await store.acquire(key, for: .seconds(60)))
    try await lease.whileHeld { try await store.setObject(text("1"), forKey: key, expiry: nil) }
    try await store.release(lease, of: key)
    await #expect(throws: StorageError.leaseLost) {
      try await lease.whileHeld { try await store.setObject(text("2"), forKey: key, expiry: nil) }
    }
    #expect(try await store.object(forKey: key) == text("1"))
  }

  @Test(
    "4 processes × 1 000 tasks: one load; a killed holder is followed, a stopped one refused",
    arguments: LeaseTrial.Part.allCases)
  func processes(_ part: LeaseTrial.Part) async throws {
    // A second process is given the server's port, and starts no server.
    let port = SecondProcess.arguments == nil ? try await Self.server.value.port : 0
    try await LeaseTrial { words, lease, load in
      let redis = try RedisStorage<String>(
        config: RedisConfig(
          addresses: [RedisAddress(host: "127.0.0.1", port: UInt16(words[0]) ?? 0)], timeout: .seconds(30)),
        namespace: words[1])
      let memory = MemoryStorage<String, TypeWrapper>()
      let chain = AsyncStorage(front: memory, back: redis, transformer: .data)
      let cache = chain.loading(LoadPolicy(lease: .shared(for: lease)), value: { _ in try await load() })
      return { try await cache.object(forKey: "key") }
    }.run(part, ["\(port)", "trial-\(part)"])
  }
}
