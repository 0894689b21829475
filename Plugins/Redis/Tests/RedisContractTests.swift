import StrataRedis
import StrataTestKit
import TestSupport
import Testing

/// What every store promises, by the kit, on one server.
///
/// One after the other: some look at lives of a fifth of a second, beside others that move megabytes.
@Suite(.serialized) struct RedisContractTests {
  /// It lists keys in no order; a server may do what a cancelled request asked for; and it keeps no files.
  fileprivate static let except: Set<Contract> = [.sortedKeys, .cancellation, .fullDisk, .readOnlyFolder]

  @Test(arguments: Contract.allCases)
  func oneServerKeeps(_ promise: Contract) async throws {
    let servers = try await KitServers("\(promise)", ports: { [$0.port] }) { try await RedisServer() }
    try await promise.check(
      Subject("RedisStorage", except: Self.except, expiryResolution: 0.001, hugeValueSize: 16 << 20) {
        place in
        try RedisStorage<String>(
          config: RedisConfig(addresses: servers.addresses, timeout: .seconds(60)), namespace: place.path,
          expiry: place.expiry)
      })
  }
}

/// The same, on a cluster.
@Suite(.serialized) struct RedisClusterContractTests {
  @Test(arguments: Contract.allCases)
  func aClusterKeeps(_ promise: Contract) async throws {
    let servers = try await KitServers("cluster-\(promise)", ports: { $0.nodes.map(\.port) }) {
      try await RedisServers.shared.value
    }
    // Nodes know nothing of each other's part of a batch.
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
