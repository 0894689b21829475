#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// Random operations of random sizes on stores with random limits.
struct LimitSoakTests {
  /// After every operation, the files are within the limit, every value is the last one stored, and the most recent
  /// entry is still there.
  @Test func theLimitAndTheValues() throws {
    var random = Seeded(state: Soak.seed)
    for round in 0..<Soak.rounds(6, soak: 600) {
      let seed = UInt64.random(in: .min ... .max, using: &random)
      try run(seed, "round \(round) of STRATA_SEED=\(Soak.seed)")
    }
  }

  private func run(_ seed: UInt64, _ name: String) throws {
    var random = Seeded(state: seed)
    let limit = Int.random(in: 3...8, using: &random) << Int.random(in: 9...20, using: &random)
    let largest = min(limit / 20, 1 << Int.random(in: 4...18, using: &random))
    let layouts: [DiskLayout] = [.automatic, .packed]
    let folder = try TestFolder(layouts[Int.random(in: 0..<2, using: &random)])
    var stores = try (0..<2).map { _ in try folder.open(Int.self, maxSize: UInt(limit)) }
    let keys = Int.random(in: 2..<400, using: &random)
    var stored: [Int: Data] = [:]
    for step in 0..<300 {
      let disk = stores[step % 2]
      let key = Int.random(in: 0..<keys, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        try disk.removeObjects(forKeys: [key, key, key + 1])
        stored[key] = nil
        stored[key + 1] = nil
      case 1:
        let batch = Dictionary(
          uniqueKeysWithValues: (key..<key + 5).map { ($0, bytes(largest / 5, seed: step + $0)) })
        try disk.setObjects(batch, expiry: nil)
        stored.merge(batch) { $1 }
      case 2: stores[step % 2] = try folder.open(Int.self, maxSize: UInt(limit))
      case 3: _ = try disk.touch(forKey: key, expiry: .never)
      case 4...8:
        if let found = try disk.objectIfPresent(forKey: key) { #expect(found == stored[key], "\(name)") }
      default:
        let value = bytes(Int.random(in: 0...largest, using: &random), seed: step)
        try disk.setObject(value, forKey: key, expiry: nil)
        stored[key] = value
        #expect(try disk.objectIfPresent(forKey: key) == value, "\(name)")
      }
      let size = try folder.logBytes()
      #expect(size <= limit, "\(name), step \(step)")
      #expect(disk.totalSize == size, "\(name), step \(step)")
    }
    // Entries that fit into a store of this limit in any case have not been evicted.
    let kept = try stores[0].keys()
    for key in kept { #expect(try stores[1].objectIfPresent(forKey: key) == stored[key], "\(name)") }
    let wanted = stored.values.reduce(0) { $0 + $1.count + 256 }
    if wanted < limit / 2 { #expect(Set(kept) == Set(stored.keys), "\(name)") }
    #expect(try folder.open(Int.self).verify() == [], "\(name)")
    #expect(folder.damage.all == [], "\(name)")
  }
}
