import Foundation
import Strata
@testable import StrataTestKit
import TestSupport
import Testing

@Suite("Stores keep the contract", .endsInTime) struct ContractTests {
  @Test("memory", arguments: Contract.brief(number: 2))
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
        removeObjects: { try await store.removeObjects(forKeys: $0) },
        setEntries: { try await store.setEntries($0) })
    }
    try await promise.check(subject)
  }

  /// StrataDiskTests check the whole contract.
  @Test("disk", arguments: Contract.sampled(oneIn: 4))
  func disk(_ promise: Contract) async throws {
    let subject = Subject("DiskStorage", except: [.sortedKeys], hasAtomicEntries: true) { place in
      try DiskStorage<String>(
        config: DiskConfig(name: "entries", expiry: place.expiry, directory: place.url, clock: place.clock))
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) },
        setEntries: { try await store.setEntries($0) })
    }
    try await promise.check(subject)
  }

  /// A combinator calls the six functions only, never those that the disk implements besides.
  @Test("disk, through a combinator", arguments: Contract.sampled(oneIn: 4))
  func obscuredDisk(_ promise: Contract) async throws {
    let subject = Subject("DiskStorage", except: [.sortedKeys], hasAtomicEntries: true) { place in
      try DiskStorage<String>(
        config: DiskConfig(name: "entries", expiry: place.expiry, directory: place.url, clock: place.clock)
      ).obscureWrappedStorages()
    }
    try await promise.check(subject)
  }

  @Test("chains over a disk", arguments: Contract.sampled(with: ChainKind.allCases, oneIn: 9))
  func chains(_ kind: ChainKind, _ promise: Contract) async throws { try await promise.check(kind.subject) }

  @Test("links and combinators", arguments: Contract.sampled(with: Combinator.allCases, oneIn: 12))
  func combinators(_ combinator: Combinator, _ promise: Contract) async throws {
    try await promise.check(combinator.subject)
  }

  /// A link that lists all keys for a page would need memory for all of them.
  @Test("combinators read pages without listing all keys", arguments: Combinator.allCases)
  func pages(_ combinator: Combinator) async throws {
    let folder = TemporaryFolder()
    let place = Place(url: folder.url, clock: .system, expiry: .never)
    let store = try await combinator.subject.open(place)
    let keys = (0..<10).map { "key \($0)" }
    for key in keys { try await store.setObject(Data("value".utf8), forKey: key) }
    let before = Reference.listings.withLock { $0[place.path] }
    var pages: [[String]] = []
    for try await page in store.keyPages(limit: 3) { pages.append(page) }
    #expect(pages.flatMap { $0 }.sorted() == keys)
    #expect(pages.allSatisfy { $0.count <= 3 })
    #expect(try await store.allObjects().count == 10)
    if combinator == .mappedKeys { try await store.removeAll() }
    #expect(Reference.listings.withLock { $0[place.path] } == before)
  }
}
