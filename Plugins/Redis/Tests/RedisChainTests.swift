import ChainSupport
import StrataRedis
import TestSupport
import Testing

@Suite("Chains over Redis", .serialized, .endsInTime) struct RedisChainContractTests {
  @Test(arguments: ChainCase.sampled(number: 3))
  func keeps(_ chain: ChainCase) async throws {
    let servers = try await KitServers("chain-\(chain.name)", ports: { [$0.port] }) {
      try await RedisServer()
    }
    try await chain.check(
      over: ChainBack("Redis", expiryResolution: 0.001) { tiers in
        try RedisStorage<String>(
          config: RedisConfig(addresses: servers.addresses, timeout: .seconds(60)), namespace: tiers.path)
      })
  }
}
