import StrataCore
import StrataTestKit
import Testing

@testable import StrataRocksDB

@Suite("RocksDBStorage keeps the contract") struct RocksDBContractTests {
  /// RocksDB lets one process at a time have a database.
  private static let unpromised: Set<Contract> = [.severalProcesses]

  @Test(arguments: Contract.allCases)
  func plain(_ promise: Contract) async throws {
    try await promise.check(
      Subject("RocksDBStorage", except: Self.unpromised) { place in
        try RocksDBStorage<String>(
          config: RocksDBConfig(path: place.path + "/db", expiry: place.expiry, clock: place.clock))
      })
  }

  /// Where writers go alone.
  @Test(arguments: Contract.allCases)
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
}
