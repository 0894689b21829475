import StrataRedis
import StrataTestKit
import TestSupport
import Testing

/// The contract of the test kit, on one server.
///
/// Serialized: some checks measure expiries of a fifth of a second, and others transfer megabytes.
@Suite(.serialized) struct RedisContractTests {
  /// Keys are listed in no order, a server may execute a cancelled command, and the store has no files.
  fileprivate static let except: Set<Contract> = [.sortedKeys, .cancellation, .fullDisk, .readOnlyFolder]

  @Test(arguments: Contract.allCases)
  func oneServerKeeps(_ promise: Contract) async throws {
    let servers = try await KitServers("\(promise)", ports: { [$0.port] }) { try await RedisServer() }
    try await promise.check(
      Subject(
        "RedisStorage", except: Self.except, expiryResolution: 0.001, hugeValueSize: 16 << 20,
        hasAtomicEntries: true
      ) { place in
        try RedisStorage<String>(
          config: RedisConfig(addresses: servers.addresses, timeout: .seconds(60)), namespace: place.path,
          expiry: place.expiry)
      })
  }
}

/// The contract of the test kit, on a cluster: in `make test` the parts for which it matters that there are several
/// nodes.
@Suite(.serialized) struct RedisClusterContractTests {
  private static let brief: [Contract] = [
    .reading, .overwriting, .removing, .removingAll, .hugeValue, .anyKey, .keys, .paging, .expiry, .batches,
    .linearizability, .updating, .conditions, .severalProcesses,
  ]

  @Test(arguments: Soak.isOn ? Contract.allCases : brief)
  func aClusterKeeps(_ promise: Contract) async throws {
    let servers = try await KitServers("cluster-\(promise)", ports: { $0.nodes.map(\.port) }) {
      try await RedisServers.shared.value
    }
    // A batch is atomic on each node only.
    try await promise.check(
      Subject(
        "RedisStorage on a cluster", except: RedisContractTests.except.union([.atomicBatches]),
        expiryResolution: 0.001,
        hugeValueSize: 16 << 20
      ) { place in
        try RedisStorage<String>(
          config: RedisConfig(addresses: servers.addresses, timeout: .seconds(60)), namespace: place.path,
          expiry: place.expiry)
      })
  }
}
