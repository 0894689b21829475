import Strata
import StrataTestKit
import TestSupport
import Testing

@Suite("Stores keep the contract") struct ContractTests {
  @Test("memory", arguments: Contract.allCases)
  func memory(_ promise: Contract) async throws {
    let subject = Subject("MemoryStorage", except: .ofPersistence.union([.atomicBatches, .sortedKeys])) {
      place in
      MemoryStorage(config: MemoryConfig(expiry: place.expiry, clock: place.clock))
    }
    try await promise.check(subject)
  }

  @Test("disk", arguments: Contract.allCases)
  func disk(_ promise: Contract) async throws {
    let subject = Subject("DiskStorage", except: [.sortedKeys]) { place in
      try DiskStorage(
        config: DiskConfig(name: "entries", expiry: place.expiry, directory: place.url, clock: place.clock))
    }
    try await promise.check(subject)
  }

  @Test("chains over a disk", arguments: ChainKind.allCases, Contract.allCases)
  func chains(_ kind: ChainKind, _ promise: Contract) async throws { try await promise.check(kind.subject) }

  @Test("links and combinators", arguments: Combinator.allCases, Contract.allCases)
  func combinators(_ combinator: Combinator, _ promise: Contract) async throws {
    try await promise.check(combinator.subject)
  }
}
