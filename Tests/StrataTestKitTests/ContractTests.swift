import Foundation
import Strata
import StrataTestKit
import TestSupport
import Testing

@Suite("Stores keep the contract", .endsInTime) struct ContractTests {
  @Test("memory", arguments: Contract.allCases)
  func memory(_ promise: Contract) async throws {
    let subject = Subject("MemoryStorage", except: .ofPersistence.union([.atomicBatches, .sortedKeys])) {
      place in
      MemoryStorage<String, Data>(config: MemoryConfig(expiry: place.expiry, clock: place.clock))
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) })
    }
    try await promise.check(subject)
  }

  @Test("disk", arguments: Contract.allCases)
  func disk(_ promise: Contract) async throws {
    let subject = Subject("DiskStorage", except: [.sortedKeys]) { place in
      try DiskStorage<String>(
        config: DiskConfig(name: "entries", expiry: place.expiry, directory: place.url, clock: place.clock))
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) })
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
