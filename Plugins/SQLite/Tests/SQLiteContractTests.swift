import Strata
import StrataSQLite
import StrataTestKit
import TestSupport
import Testing

/// The contract of all stores, checked by the kit: alone, under a limit, and behind memory; in `make test` a sample.
@Suite struct SQLiteContractTests {
  @Test(arguments: Contract.brief(number: 2))
  func aStoreKeeps(_ promise: Contract) async throws {
    try await promise.check(
      Subject("SQLiteStorage", except: [.sortedKeys], expiryResolution: 1e-6, hasAtomicEntries: true) {
        place in
        try SQLiteStorage<String>(
          config: SQLiteConfig(path: place.path + "/store.db", expiry: place.expiry, clock: place.clock))
      })
  }

  @Test func asyncAndSyncFunctions() async throws {
    let subject = Subject("SQLiteStorage, with await", except: [.sortedKeys], expiryResolution: 1e-6) {
      place in
      try SQLiteStorage<String>(
        config: SQLiteConfig(path: place.path + "/store.db", expiry: place.expiry, clock: place.clock))
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) })
    }
    try await Contract.bothWorlds.check(subject)
  }

  @Test(arguments: Contract.sampled(oneIn: 4))
  func aStoreWithALimitKeeps(_ promise: Contract) async throws {
    try await promise.check(
      Subject("SQLiteStorage with maxSize", except: [.sortedKeys], expiryResolution: 1e-6) { place in
        try SQLiteStorage<String>(
          config: SQLiteConfig(
            path: place.path + "/store.db", expiry: place.expiry, maxSize: 1 << 30, clock: place.clock))
      })
  }

  @Test(arguments: Contract.sampled(oneIn: 4, number: 1))
  func aChainWithMemoryInFrontKeeps(_ promise: Contract) async throws {
    // Memory does not notice another store's writes, and stores a batch entry by entry.
    let except: Set<Contract> = [.sortedKeys, .atomicBatches, .severalHandles, .severalProcesses]
    try await promise.check(
      Subject("memory before SQLiteStorage", except: except, expiryResolution: 1e-6) { place in
        Storage(
          front: MemoryStorage<String, TypeWrapper>(
            config: MemoryConfig(expiry: place.expiry, clock: place.clock)),
          back: try SQLiteStorage<String>(
            config: SQLiteConfig(path: place.path + "/store.db", expiry: place.expiry, clock: place.clock)),
          transformer: .data)
      })
  }
}
