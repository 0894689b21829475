import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import StrataTestKit
import TestSupport
import Testing

@Suite("EngineStorage keeps the contract") struct EngineContractTests {
  /// Engines with different capabilities. Real engines are tested in StrataRocksDB and in the LevelDB example.
  enum Setup: String, CaseIterable {
    case plain
    /// The key limit is so small that nearly all keys are hashed. Reads with `await` stay on their thread.
    case shortKeys
    /// Writers run one at a time, and the size of the store is limited.
    case limited
  }

  private static let unpromised: Set<Contract> = .ofPersistence

  @Test(arguments: Contract.sampled(with: Setup.allCases, oneIn: 6))
  func keeps(_ setup: Setup, _ promise: Contract) async throws {
    // Hashed keys are listed in the order of their hashes.
    let except: Set<Contract> = setup == .shortKeys ? [.sortedKeys] : []
    let subject = Subject(
      "EngineStorage, \(setup)", except: Self.unpromised.union(except), hasAtomicEntries: true
    ) { place in
      try EngineStorage<String, SortedEngine>(
        place: "\(setup) \(place.path)", maxSize: setup == .limited ? 1 << 30 : 0, expiry: place.expiry,
        clock: place.clock
      ) {
        setup == .shortKeys ? SortedEngine(longestKey: 64, answersAtOnce: true) : SortedEngine()
      }
    }
    try await promise.check(subject)
  }
}
