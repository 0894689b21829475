import StrataRedis
import StrataTestKit
import TestSupport
import Testing

/// The contract of the test kit, on one server.
@Suite(.serialized) struct RedisContractTests {
  /// Keys are listed in no order, a server may execute a cancelled command, and the store has no files.
  fileprivate static let except: Set<Contract> = [.sortedKeys, .cancellation, .fullDisk, .readOnlyFolder]

  /// Starts the clusters of later tests in the background.
  init() { RedisServers.prepare() }

  @Test(arguments: Contract.groups(of: Contract.brief(number: 3), except: except))
  func oneServerKeeps(_ promises: [Contract]) async throws {
    let servers = try await KitServers("\(promises[0])", ports: { [$0.port] }) { try await RedisServer() }
    try await promises.check(
      Subject(
        "RedisStorage", except: Self.except, expiryResolution: 0.001, hugeValueSize: 16 << 20,
        hasAtomicEntries: true
      ) { place in
        try RedisStorage<String>(
          config: RedisConfig(addresses: servers.addresses, timeout: .seconds(60)), namespace: place.path,
          expiry: place.expiry)
      }
      .losingWrites { place in
        let proxy = Proxy(to: try #require(servers.addresses[0].port.map(Int.init)))
        let store = try RedisStorage<String>(
          config: RedisConfig(
            addresses: [proxy.address], connections: 1, timeout: .seconds(60), heartbeat: .seconds(60)),
          namespace: place.path)
        return LossyStore(store) { write in
          await proxy.lose(write)
        } deliver: {
          let lines = proxy.lines
          proxy.releaseLines()
          await until { proxy.lines < lines }
        }
      }
      .settling { try await Loopback.settled(ports: servers.addresses.compactMap { $0.port.map(Int.init) }) })
  }
}

/// The contract of the test kit, on a cluster: in `make test` only the checks that depend on several nodes.
@Suite(.serialized) struct RedisClusterContractTests {
  private static let brief: [Contract] = [
    .reading, .overwriting, .removing, .removingAll, .hugeValue, .anyKey, .keys, .paging, .expiry, .batches,
    .linearizability, .updating, .conditions, .severalProcesses,
  ]

  /// A batch is atomic on each node only.
  private static let except = RedisContractTests.except.union([.atomicBatches])

  @Test(arguments: Contract.groups(of: Soak.isOn ? Contract.allCases : brief, except: except))
  func aClusterKeeps(_ promises: [Contract]) async throws {
    let servers = try await KitServers("cluster-\(promises[0])", ports: { $0.nodes.map(\.port) }) {
      try await RedisServers.shared.value
    }
    try await promises.check(
      Subject(
        "RedisStorage on a cluster", except: Self.except, expiryResolution: 0.001, hugeValueSize: 16 << 20
      ) { place in
        try RedisStorage<String>(
          config: RedisConfig(addresses: servers.addresses, timeout: .seconds(60)), namespace: place.path,
          expiry: place.expiry)
      }
      .settling { try await Loopback.settled(ports: servers.addresses.compactMap { $0.port.map(Int.init) }) })
  }
}
