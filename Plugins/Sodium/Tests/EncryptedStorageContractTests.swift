import Foundation
import Strata
import StrataSQLite
import StrataSodium
import StrataTestKit
import TestSupport
import Testing

/// What every store promises, encrypted: over memory, over files, over a table, and behind memory.
@Suite struct EncryptedStorageContractTests {
  /// Other processes and stores opened again need the same key.
  private static func ring() throws -> KeyRing { KeyRing(try key(7)) }

  @Test(arguments: Contract.allCases)
  func memoryKeeps(_ promise: Contract) async throws {
    let ring = try Self.ring()
    try await promise.check(
      Subject("encrypted MemoryStorage", except: Set.ofPersistence.union([.sortedKeys, .atomicBatches])) {
        place in
        MemoryStorage<String, Data>(config: MemoryConfig(expiry: place.expiry, clock: place.clock))
          .encrypted(with: ring, domain: "test")
      })
  }

  @Test(arguments: Contract.allCases)
  func filesKeep(_ promise: Contract) async throws {
    let ring = try Self.ring()
    try await promise.check(
      Subject("encrypted DiskStorage", except: [.sortedKeys]) { place in
        try DiskStorage<String>(
          config: DiskConfig(name: "store", expiry: place.expiry, directory: place.url, clock: place.clock)
        ).encrypted(with: ring, domain: "test")
      })
  }

  @Test(arguments: Contract.allCases)
  func aTableKeeps(_ promise: Contract) async throws {
    let ring = try Self.ring()
    try await promise.check(
      Subject("encrypted SQLiteStorage", except: [.sortedKeys], expiryResolution: 1e-6) { place in
        try SQLiteStorage<String>(
          config: SQLiteConfig(path: place.path + "/store.db", expiry: place.expiry, clock: place.clock)
        ).encrypted(with: ring, domain: "test")
      })
  }

  @Test(arguments: Contract.allCases)
  func aChainWithMemoryInFrontKeeps(_ promise: Contract) async throws {
    let ring = try Self.ring()
    let except: Set<Contract> = [.sortedKeys, .atomicBatches, .severalHandles, .severalProcesses]
    try await promise.check(
      Subject("memory before encrypted DiskStorage", except: except) { place in
        Storage(
          front: MemoryStorage<String, TypeWrapper>(
            config: MemoryConfig(expiry: place.expiry, clock: place.clock)),
          back: try DiskStorage<String>(
            config: DiskConfig(name: "store", expiry: place.expiry, directory: place.url, clock: place.clock)
          ).encrypted(with: ring), transformer: .data)
      })
  }
}
