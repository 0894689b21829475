import Foundation
import StrataCore
import StrataTestKit
import Testing

@Suite("EngineStorage keeps the contract") struct EngineContractTests {
  /// Engines of different abilities. Real ones are tested as StrataRocksDB and as the LevelDB example.
  enum Setup: String, CaseIterable {
    case plain
    /// Nearly all keys are hashed, and awaited reads stay on their thread.
    case shortKeys
    /// All writers run alone, and sizes are kept.
    case limited
  }

  private static let unpromised: Set<Contract> = .ofPersistence

  @Test(arguments: Contract.allCases, Setup.allCases)
  func keeps(_ promise: Contract, _ setup: Setup) async throws {
    // The order of hashed keys is that of the hashes.
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
