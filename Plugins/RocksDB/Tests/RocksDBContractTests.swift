import Foundation
import StrataCore
import StrataTestKit
import TestSupport
import Testing

@testable import StrataRocksDB

@Suite("RocksDBStorage keeps the contract") struct RocksDBContractTests {
  /// RocksDB lets one process at a time open a database.
  private static let unpromised: Set<Contract> = [.severalProcesses]

  @Test(arguments: Contract.brief(number: 1))
  func plain(_ promise: Contract) async throws {
    try await promise.check(
      Subject(
        "RocksDBStorage", except: Self.unpromised, hasAtomicEntries: true,
        damage: { place, key in
          // Stores other bytes in place of a record, as another program could.
          let store = try RocksDBStorage<String>(config: RocksDBConfig(path: place.path + "/db"))
          try store.engine.write([EngineChange(key: Array("=\(key)".utf8), record: Data([0xFF]))])
        }
      ) { place in
        try RocksDBStorage<String>(
          config: RocksDBConfig(path: place.path + "/db", expiry: place.expiry, clock: place.clock))
      })
  }

  @Test func asyncAndSyncFunctions() async throws {
    let subject = Subject("RocksDBStorage, with await", except: Self.unpromised) { place in
      try RocksDBStorage<String>(
        config: RocksDBConfig(path: place.path + "/db", expiry: place.expiry, clock: place.clock))
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

  /// A store with a limit, whose writers run one at a time.
  @Test(arguments: Contract.sampled(oneIn: 4))
  func limited(_ promise: Contract) async throws {
    try await promise.check(
      Subject("RocksDBStorage, limited", except: Self.unpromised) { place in
        try RocksDBStorage<String>(
          config: RocksDBConfig(
            path: place.path + "/db", expiry: place.expiry, maxSize: 1 << 30, clock: place.clock))
      })
  }

  @Test(arguments: RocksDBConfig.Durability.allCases)
  func closedStoresAreWhole(_ durability: RocksDBConfig.Durability) async throws {
    try await Contract.reopening.check(
      Subject("RocksDBStorage, \(durability)", except: Self.unpromised) { place in
        try RocksDBStorage<String>(
          config: RocksDBConfig(
            path: place.path + "/db", expiry: place.expiry, durability: durability, clock: place.clock))
      })
  }

  /// Opening in a second process, which the contract's checks omit, is refused with a reason.
  @Test func aSecondProcessIsRefused() async throws {
    let subject = Subject("RocksDBStorage, twice") { place in
      try RocksDBStorage<String>(config: RocksDBConfig(path: place.path + "/db", clock: place.clock))
    }
    let said: String
    do { said = "\(try await Contract.severalProcesses.verdict(on: subject))" } catch { said = "\(error)" }
    #expect(said.contains("another process has it open, and only one can write"), "\(said)")
    #expect(said.contains("/db/LOCK"))
  }
}
