import Foundation
import Strata
import StrataSQLite
import StrataSodium
import StrataTestKit
import TestSupport
import Testing

/// The contract of every store, checked on encrypted stores: over memory, files, a table and an asynchronous store, and
/// behind memory. `make test` checks a sample.
@Suite(.endsInTime) struct EncryptedStorageContractTests {
  /// Other processes and reopened stores need the same key.
  private let ring: KeyRing

  init() throws { ring = KeyRing(try key(7)) }

  @Test(arguments: Contract.brief())
  func memoryKeeps(_ promise: Contract) async throws {
    let except = Set.ofPersistence.union([.sortedKeys, .atomicBatches])
    let subject = Subject("encrypted MemoryStorage", except: except) { place in
      MemoryStorage<String, Data>(config: MemoryConfig(expiry: place.expiry, clock: place.clock))
        .encrypted(with: ring, domain: "test")
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) },
        update: { try await store.update(forKey: $0, $1) },
        setIfAbsent: { try await store.setIfAbsent($0, forKey: $1, expiry: $2) },
        touch: { try await store.touch(forKey: $0, expiry: $1) })
    }
    try await promise.check(subject)
  }

  @Test(arguments: Contract.brief(number: 2))
  func filesKeep(_ promise: Contract) async throws {
    let subject = Subject("encrypted DiskStorage", except: [.sortedKeys], hasAtomicEntries: true) { place in
      try disk(at: place).encrypted(with: ring, domain: "test")
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) },
        update: { try await store.update(forKey: $0, $1) },
        setIfAbsent: { try await store.setIfAbsent($0, forKey: $1, expiry: $2) },
        touch: { try await store.touch(forKey: $0, expiry: $1) })
    }
    try await promise.check(subject)
  }

  @Test(arguments: Contract.sampled(oneIn: 4))
  func aTableKeeps(_ promise: Contract) async throws {
    let subject = Subject("encrypted SQLiteStorage", except: [.sortedKeys], expiryResolution: 1e-6) { place in
      try SQLiteStorage<String>(
        config: SQLiteConfig(path: place.path + "/store.db", expiry: place.expiry, clock: place.clock)
      ).encrypted(with: ring, domain: "test")
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) },
        update: { try await store.update(forKey: $0, $1) },
        setIfAbsent: { try await store.setIfAbsent($0, forKey: $1, expiry: $2) },
        touch: { try await store.touch(forKey: $0, expiry: $1) })
    }
    try await promise.check(subject)
  }

  /// Over an asynchronous store, calls with `await` use the encrypted store's asynchronous functions only.
  @Test(arguments: Contract.brief(number: 3))
  func anAsynchronousStoreKeeps(_ promise: Contract) async throws {
    let except = Set.ofPersistence.union([.sortedKeys, .atomicBatches, .manyKeys, .hugeValue])
    let subject = Subject("encrypted SlowStorage", except: except) { place in
      SlowStorage(
        MemoryStorage<String, Data>(config: MemoryConfig(expiry: place.expiry, clock: place.clock))
      ).encrypted(with: ring, domain: "test")
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

  @Test(arguments: Contract.sampled(oneIn: 4, number: 1))
  func aChainWithMemoryInFrontKeeps(_ promise: Contract) async throws {
    let except: Set<Contract> = [.sortedKeys, .atomicBatches, .severalHandles, .severalProcesses]
    let subject = Subject("memory before encrypted DiskStorage", except: except) { place in
      Storage(
        front: MemoryStorage<String, TypeWrapper>(
          config: MemoryConfig(expiry: place.expiry, clock: place.clock)),
        back: try disk(at: place).encrypted(with: ring), transformer: .data)
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) },
        update: { try await store.update(forKey: $0, $1) },
        setIfAbsent: { try await store.setIfAbsent($0, forKey: $1, expiry: $2) },
        touch: { try await store.touch(forKey: $0, expiry: $1) })
    }
    try await promise.check(subject)
  }

  private func disk(at place: Place) throws -> DiskStorage<String> {
    try DiskStorage(
      config: DiskConfig(name: "store", expiry: place.expiry, directory: place.url, clock: place.clock))
  }
}
