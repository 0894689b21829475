import Foundation
import StrataCore
import StrataTestKit
import TestSupport
import Testing

@testable import StrataLMDB

@Suite("LMDBStorage keeps the contract") struct LMDBContractTests {
  /// Configurations of a store. Each must pass all checks of the contract: `make test` checks each promise in one.
  enum Setup: String, CaseIterable {
    case usual
    /// Every check makes the map grow, and other processes adopt its size.
    case tinyMap
    /// Every write records the order of writing and is checked against a limit.
    case limited
    /// Every commit waits for the disk.
    case durable

    func config(_ place: Place) -> LMDBConfig {
      var config = LMDBConfig(path: place.path, expiry: place.expiry, clock: place.clock)
      switch self {
      case .usual: break
      case .tinyMap:
        config.firstMapSize = 1 << 16
        config.durability = .off
      case .limited: config.maxSize = 1 << 30
      case .durable: config.durability = .full
      }
      return config
    }
  }

  /// LMDB sorts keys by their bytes, but the empty key and hashed keys come last, so `sortedKeys` is not checked.
  @Test(arguments: Contract.sampled(with: Setup.allCases, oneIn: 8))
  func keeps(_ setup: Setup, _ promise: Contract) async throws {
    try await promise.check(
      Subject("LMDBStorage, \(setup)", except: [.sortedKeys], hasAtomicEntries: true, damage: damage) {
        place in
        try LMDBStorage<String>(config: setup.config(place))
      })
  }

  /// Stores other bytes in place of a record, as another program could.
  private func damage(_ place: Place, _ key: String) throws {
    try RawEnvironment(place.path).write { try put([1, 2, 3], Array(key.utf8), into: "entries", in: $0) }
  }

  @Test func asyncAndSyncFunctions() async throws {
    let subject = Subject("LMDBStorage, with await", except: [.sortedKeys]) { place in
      try LMDBStorage<String>(config: Setup.usual.config(place))
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
}
