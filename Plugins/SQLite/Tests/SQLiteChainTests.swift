import ChainSupport
import StrataSQLite
import TestSupport
import Testing

@Suite("Chains over SQLite", .endsInTime) struct SQLiteChainContractTests {
  @Test(arguments: ChainCase.sampled(number: 2))
  func keeps(_ chain: ChainCase) async throws {
    try await chain.check(
      over: ChainBack("SQLite", expiryResolution: 1e-6) { tiers in
        try SQLiteStorage<String>(config: SQLiteConfig(path: tiers.path + "/back.db", clock: tiers.clock))
      })
  }
}
