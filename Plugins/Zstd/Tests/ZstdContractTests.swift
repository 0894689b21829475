import Foundation
import Strata
import StrataLZ4
import StrataTestKit
import StrataZstd
import TestSupport
import Testing

@Suite("Compressed chains keep the contract", .endsInTime)
struct ZstdContractTests {
  enum Chain: String, CaseIterable, CustomTestStringConvertible {
    case memory, disk, dictionaries

    var testDescription: String { rawValue }

    var subject: Subject {
      let except: Set<Contract> =
        self == .memory ? .ofPersistence.union([.atomicBatches, .sortedKeys]) : [.sortedKeys]
      return Subject("zstd over \(rawValue)", except: except) { place in
        let memory = MemoryConfig(expiry: place.expiry, clock: place.clock)
        let disk = DiskConfig(name: "entries", expiry: place.expiry, directory: place.url, clock: place.clock)
        switch self {
        case .memory:
          return Storage(back: MemoryStorage<String, Data>(config: memory), transformer: .data.zstd())
        case .disk:
          return try Storage(
            back: DiskStorage<String>(config: disk), transformer: .data.zstd(reading: [.zlib(), .lz4()]))
        case .dictionaries:
          let dictionaries = try ZstdDictionaryStore(
            in: DiskStorage<String>(config: DiskConfig(name: "dictionaries", directory: place.url)),
            training: .automatic(after: 20))
          return try Storage(
            back: DiskStorage<String>(config: disk), transformer: .data.zstd(dictionaries: dictionaries))
        }
      }
    }
  }

  @Test(
    "memory, disk, and disk with dictionaries that change by themselves",
    arguments: Contract.sampled(with: Chain.allCases, oneIn: 6))
  func keeps(_ chain: Chain, _ promise: Contract) async throws { try await promise.check(chain.subject) }
}
