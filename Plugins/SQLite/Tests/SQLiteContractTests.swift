import StrataCore
import StrataSQLite
import StrataTestKit
import Testing

/// What every store promises, by the kit: alone, under a limit, and behind memory.
@Suite struct SQLiteContractTests {
  @Test(arguments: Contract.allCases)
  func aStoreKeeps(_ promise: Contract) async throws {
    try await promise.check(
      Subject("SQLiteStorage", except: [.sortedKeys], expiryResolution: 1e-6) { place in
        try SQLiteStorage<String>(
          config: SQLiteConfig(path: place.path + "/store.db", expiry: place.expiry, clock: place.clock))
      })
  }

  @Test(arguments: Contract.allCases)
  func aStoreWithALimitKeeps(_ promise: Contract) async throws {
    try await promise.check(
      Subject("SQLiteStorage with maxSize", except: [.sortedKeys], expiryResolution: 1e-6) { place in
        try SQLiteStorage<String>(
          config: SQLiteConfig(
            path: place.path + "/store.db", expiry: place.expiry, maxSize: 1 << 30, clock: place.clock))
      })
  }
}
