import Foundation
import Strata
import StrataPostgres
import TestSupport
import Testing

@Suite(.endsInTime) struct PostgresLeaseTests {
  @Test func aLeaseIsExclusiveUntilItIsReleased() async throws {
    let server = try await PostgresServer.shared.value
    let (one, other) = (try server.store("leases"), try server.store("leases"))
    let lease = try #require(try await one.acquire("a", for: .seconds(60)))
    #expect(try await other.acquire("a", for: .seconds(60)) == nil)
    #expect(try await other.acquire("b", for: .seconds(60)) != nil)
    #expect(try await one.extend(lease, of: "a", for: .seconds(60)))
    try await lease.whileHeld { try await one.setObject(text("1"), forKey: "a", expiry: .seconds(60)) }
    try await one.release(lease, of: "a")
    #expect(try await !one.extend(lease, of: "a", for: .seconds(60)))
    let next = try #require(try await other.acquire("a", for: .seconds(60)))
    // Releasing a lease again must not release the lease that another client has acquired since.
    try await one.release(lease, of: "a")
    #expect(try await one.acquire("a", for: .seconds(60)) == nil)
    // Leases are not listed as entries, and removing all entries ends no lease.
    #expect(try await one.keys() == ["a"])
    try await one.removeAll()
    #expect(try await one.acquire("a", for: .seconds(60)) == nil)
    try await other.release(next, of: "a")
  }

  @Test func aWriteUnderALostLeaseIsRefused() async throws {
    let server = try await PostgresServer.shared.value
    let (one, other) = (try server.store("lost leases"), try server.store("lost leases"))
    let lease = try #require(try await one.acquire("a", for: .seconds(60)))
    try await server.run("UPDATE \"lost leases\" SET expires = now()")
    let next = try #require(try await other.acquire("a", for: .seconds(60)))
    try await next.whileHeld { try await other.setObject(text("next"), forKey: "a", expiry: nil) }
    await #expect(throws: StorageError.leaseLost) {
      try await lease.whileHeld { try await one.setObject(text("late"), forKey: "a", expiry: nil) }
    }
    #expect(try await one.object(forKey: "a") == text("next"))
  }

  @Test func aBatchUnderALostLeaseIsRefused() async throws {
    let server = try await PostgresServer.shared.value
    try await expectRefusedBatches(server.store("batches"), server.store("batches"))
  }

  @Test(
    "4 processes × 1 000 tasks: one load; a killed holder is followed, a stopped one refused",
    arguments: LeaseTrial.Part.allCases)
  func processes(_ part: LeaseTrial.Part) async throws {
    // The second process connects to the server that the first one has started.
    let port = SecondProcess.arguments == nil ? try await PostgresServer.shared.value.port : 0
    try await LeaseTrial { words, lease, load in
      let config = PostgresConfig(
        port: UInt16(words[0]) ?? 0, user: "strata", password: PostgresServer.password, timeout: .seconds(60),
        connectTimeout: .seconds(30))
      let back = try PostgresStorage<String>(
        client: PostgresClient(config: config), table: words[1], durability: .unlogged)
      let memory = MemoryStorage<String, TypeWrapper>()
      let chain = AsyncStorage(front: memory, back: back, transformer: .data)
      let cache = chain.loading(LoadPolicy(lease: .shared(for: lease)), value: { _ in try await load() })
      return { try await cache.object(forKey: "key") }
    }.run(part, ["\(port)", "trial \(part)"])
  }
}
