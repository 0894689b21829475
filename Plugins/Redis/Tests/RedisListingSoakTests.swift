#if os(Linux)
  import Foundation
  import StrataRedis
  import TestSupport
  import Testing

  /// Listing keys in pages takes little memory: a million keys in `make soak`, fewer in `make test`.
  @Suite(.timeLimit(.minutes(Soak.rounds(2, soak: 30)))) struct RedisListingSoakTests {
    @Test func oneServerIsListedInLittleMemory() async throws {
      let server = try await RedisServer()
      try await expectListingInLittleMemory(
        RedisStorage<String>(config: RedisConfig(addresses: [server.address]), namespace: "many"))
    }

    @Test func aClusterIsListedInLittleMemory() async throws {
      let cluster = try await RedisServers.shared.value
      try await expectListingInLittleMemory(
        RedisStorage<String>(config: cluster.config(), namespace: UUID().uuidString))
    }
  }
#endif
