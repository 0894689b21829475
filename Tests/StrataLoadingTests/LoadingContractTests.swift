import Foundation
import Strata
import StrataSQLite
import TestSupport
import Testing

@Suite("A loading store keeps the contract of its inner store", .endsInTime)
struct LoadingContractTests {
  enum Base: String, CaseIterable, CustomTestStringConvertible {
    case memory, entries, disk, sqlite, chain

    var testDescription: String { rawValue }

    var subject: Subject {
      // A loading store lists keys by reading them, in no order. Its batches are as atomic as the inner store's.
      let except: Set<Contract> =
        self == .memory || self == .entries
        ? .ofPersistence.union([.atomicBatches, .sortedKeys]) : [.sortedKeys]
      return Subject(
        "loading over \(rawValue)", except: except, hasAtomicEntries: !except.contains(.atomicBatches)
      ) { place in
        let policy = LoadPolicy()
        let absent: @Sendable (LoadRequest<String, Data>) async throws -> Loaded<Data> = { _ in .absent() }
        let memory = MemoryConfig(expiry: place.expiry, clock: place.clock)
        let disk = DiskConfig(name: "entries", expiry: place.expiry, directory: place.url, clock: place.clock)
        switch self {
        case .memory: return MemoryStorage<String, Data>(config: memory).loading(policy, absent)
        case .entries: return MemoryStorage<String, Cached<Data>>(config: memory).loading(policy, absent)
        case .disk: return try DiskStorage<String>(config: disk).loading(policy, absent)
        case .sqlite:
          let config = SQLiteConfig(
            path: place.path + "/entries.db", expiry: place.expiry, clock: place.clock)
          return try SQLiteStorage<String>(config: config).loading(policy, absent)
        case .chain:
          return try Storage(back: DiskStorage<String>(config: disk), transformer: .data.zlib())
            .loading(policy, absent)
        }
      }
    }
  }

  @Test(
    "memory, disk, SQLite, and a typed chain", arguments: Contract.sampled(with: Base.allCases, oneIn: 6))
  func keeps(_ base: Base, _ promise: Contract) async throws { try await promise.check(base.subject) }
}
