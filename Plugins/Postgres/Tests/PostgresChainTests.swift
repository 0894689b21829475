import ChainSupport
import StrataPostgres
import TestSupport
import Testing

@Suite("Chains over PostgreSQL", .serialized, .endsInTime) struct PostgresChainContractTests {
  @Test(arguments: ChainCase.sampled(number: 4))
  func keeps(_ chain: ChainCase) async throws {
    let server = try await KitServer("chain-\(chain.name)")
    try await chain.check(
      over: ChainBack("PostgreSQL", expiryResolution: 1e-6) { tiers in
        try PostgresStorage<String>(
          client: PostgresClient(config: server.config), table: String(tiers.path.suffix(60)),
          durability: .unlogged, clock: tiers.clock)
      })
  }
}
