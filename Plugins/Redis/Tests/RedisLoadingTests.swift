import Foundation
import Strata
import StrataRedis
import StrataTestKit
import TestSupport
import Testing

/// The contract of the test kit, for a loading store over one server: in `make test` only the checks that loading
/// affects.
@Suite(.serialized, .endsInTime) struct RedisLoadingContractTests {
  private static let brief: [Contract] = [
    .reading, .absence, .overwriting, .removing, .removingAll, .expiry, .ownExpiry, .batches,
    .linearizability,
    .updating, .conditions,
  ]

  private static let except: Set<Contract> = [.sortedKeys, .cancellation, .fullDisk, .readOnlyFolder]

  @Test(arguments: Contract.groups(of: Soak.isOn ? Contract.allCases : brief, except: except))
  func aLoadingStoreKeeps(_ promises: [Contract]) async throws {
    let servers = try await KitServers("loading-\(promises[0])", ports: { [$0.port] }) {
      try await RedisServer()
    }
    try await promises.check(
      Subject(
        "loading over RedisStorage", except: Self.except, expiryResolution: 0.001, hugeValueSize: 16 << 20
      ) { place in
        try RedisStorage<String>(
          config: RedisConfig(addresses: servers.addresses, timeout: .seconds(60)), namespace: place.path,
          expiry: place.expiry
        ).loading(LoadPolicy()) { _ in .absent() }
      })
  }
}

/// A loading store while its server is down, and after its restart.
@Suite(.timeLimit(.minutes(5)), .endsInTime) struct RedisOutageTests {
  /// The cache of one machine: memory in front of the server, and a loader.
  private struct Machine {
    let cache: LoadingStorage<String, Int>
    let loads = Shared(0)
    let value: Shared<Int>

    init(_ server: RedisServer, _ policy: LoadPolicy, value: Shared<Int>) throws {
      self.value = value
      let redis = try RedisStorage<String>(
        config: RedisConfig(addresses: [server.address], timeout: .milliseconds(200)), namespace: "drill")
      cache = AsyncStorage(front: MemoryStorage(), back: redis, transformer: .codable(Int.self))
        .loading(policy) { [loads] _ in
          loads.change { $0 += 1 }
          return .value(value.value)
        }
    }
  }

  @Test(
    "all requests are served while the server is down; after its restart values are stored again (case 29)"
  )
  func outage() async throws {
    let server = try await RedisServer()
    let value = Shared(1)
    let policy = LoadPolicy(freshFor: .seconds(600), staleFor: .seconds(600))
    let (one, other) = (
      try Machine(server, policy, value: value), try Machine(server, policy, value: value)
    )
    #expect(try await one.cache.object(forKey: "a") == 1)
    #expect(try await other.cache.object(forKey: "a") == 1)
    #expect(one.loads.value + other.loads.value == 1)
    server.kill()
    value.change { $0 = 2 }
    for key in ["a", "b", "c"] {
      let found = try await one.cache.object(forKey: key)
      #expect(key == "a" ? [1, 2].contains(found) : found == 2)
    }
    #expect(one.cache.statistics.storeFailures > 0)
    try await server.restart()
    // Once loaded values are stored again, the other machine reads them from the server.
    try await eventually {
      _ = try await one.cache.refresh(forKey: "b")
      let before = other.loads.value
      let found = try await other.cache.object(forKey: "b")
      return found == 2 && other.loads.value == before
    }
  }

  @Test("a change whose invalidation was lost with the server is read after its restart (case 51)")
  func lostAnnouncement() async throws {
    let server = try await RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
    let value = Shared(1)
    let (one, other) = (
      try Machine(server, LoadPolicy(), value: value), try Machine(server, LoadPolicy(), value: value)
    )
    _ = try await one.cache.object(forKey: "a")
    try await eventually {
      _ = try await other.cache.object(forKey: "a")
      return other.cache.peek(forKey: "a") != nil
    }
    // The server is killed with its connections, maybe before it has sent the invalidation; its file contains the
    // change.
    try await one.cache.setObject(7, forKey: "a")
    server.kill()
    try await server.restart()
    try await eventually { try await other.cache.object(forKey: "a") == 7 }
    #expect(try await one.cache.object(forKey: "a") == 7)
  }

  @Test(
    "two machines write while the server is down: afterwards both read the last value that was stored (case 52)"
  )
  func partition() async throws {
    let server = try await RedisServer()
    let value = Shared(1)
    let (one, other) = (
      try Machine(server, LoadPolicy(), value: value), try Machine(server, LoadPolicy(), value: value)
    )
    _ = try await one.cache.object(forKey: "a")
    server.kill()
    for (machine, number) in [(one, 2), (other, 3)] {
      await #expect(throws: StorageError.self) { try await machine.cache.setObject(number, forKey: "a") }
    }
    try await server.restart()
    // Until the other machine has reconnected, its read loads the source's value, which must not replace the 4.
    try await eventually { try await one.cache.setObject(4, forKey: "a") }
    try await eventually { try await other.cache.object(forKey: "a") == 4 }
    #expect(try await one.cache.object(forKey: "a") == 4)
  }
}
