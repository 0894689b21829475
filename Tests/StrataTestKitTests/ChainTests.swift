import ChainSupport
import Foundation
import Strata
import StrataTestKit
import TestSupport
import Testing

/// The promises of chains, over memory and over a disk. The tests of other backs run them over those.
@Suite("Chains keep what their parts promise", .endsInTime) struct ChainContractTests {
  @Test("over memory", arguments: ChainCase.sampled(isShared: false, number: 0))
  func overMemory(_ chain: ChainCase) async throws {
    try await chain.check(
      over: ChainBack("memory", isShared: false) { tiers in
        MemoryStorage<String, Data>(config: MemoryConfig(clock: tiers.clock))
      })
  }

  @Test("over a disk", arguments: ChainCase.sampled(number: 1))
  func overDisk(_ chain: ChainCase) async throws {
    try await chain.check(
      over: ChainBack("disk") { tiers in
        try DiskStorage(config: DiskConfig(name: "back", directory: tiers.url, clock: tiers.clock))
      })
  }
}
