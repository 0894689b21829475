#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

/// The share of the limit that entries take once it has been reached.
struct ShareKeptTests {
  /// The bytes of an entry beside its value: its record's head, its key, and its slot in a table of contents.
  private static let overhead = Record.headerSize + 4 + IndexSlot.size

  /// Sets of value sizes; each size contributes the same number of bytes.
  enum Values: CaseIterable {
    case tiny, small, large, huge, mixed

    var sizes: [Int] {
      switch self {
      case .tiny: [100]
      case .small: [10_000]
      case .large: [200_000]
      case .huge: [5_000_000]
      case .mixed: [100, 10_000, 200_000, 2_000_000]
      }
    }

    var limit: Int {
      switch self {
      case .tiny: 6_000_000
      case .small: 8_000_000
      case .large: 30_000_000
      case .mixed: 50_000_000
      case .huge: 110_000_000
      }
    }

    /// Returns a random size. Small ones are more frequent, so that all contribute the same number of bytes.
    func size(_ random: inout Seeded) -> Int {
      let weights = sizes.map { 1 / Double($0) }
      var point = Double.random(in: 0..<weights.reduce(0, +), using: &random)
      for (size, weight) in zip(sizes, weights) {
        point -= weight
        if point <= 0 { return size }
      }
      return sizes[0]
    }

    /// The number of entries that take as much as the limit.
    var count: Int { sizes.reduce(0) { $0 + limit / sizes.count / ($1 + ShareKeptTests.overhead) } }
  }

  /// Writes several times the limit, and returns the smallest share that entries took towards the end.
  private func leastShare(
    of values: Values, _ disk: DiskStorage<Int>, times: Double, key: (Int, inout Seeded) -> Int
  ) throws -> Double {
    let end = Int(Double(values.limit) * times)
    var random = Seeded(state: 1)
    var sizes: [Int: Int] = [:]
    var written = 0
    var least = 1.0
    var round = 0
    while written < end {
      let size = values.size(&random)
      let key = key(round, &random)
      try disk.setObject(Data(count: size), forKey: key, expiry: nil)
      sizes[key] = size
      written += size + Self.overhead
      round += 1
      if written > end - values.limit / 4, round % max(1, values.count / 12) == 0 {
        let kept = try disk.keys().reduce(0) { $0 + (sizes[$1] ?? 0) + Self.overhead }
        least = min(least, Double(kept) / Double(values.limit))
      }
    }
    return least
  }

  /// Each key is written once, as usual in a cache.
  @Test(arguments: Values.allCases)
  func atLeastNineTenthsOfTheLimit(_ values: Values) throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: UInt(values.limit))
    #expect(try leastShare(of: values, disk, times: 1.5) { round, _ in round } >= 0.9)
    #expect(try folder.logBytes() <= values.limit)
    #expect(disk.totalSize == (try folder.logBytes()))
  }

  /// Replaced entries leave dead bytes, which are reclaimed later.
  @Test(arguments: [Values.small, .large, .mixed])
  func atLeastThreeQuartersWhereEntriesAreReplaced(_ values: Values) throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: UInt(values.limit))
    let share = try leastShare(of: values, disk, times: 2.2) { _, random in
      Int.random(in: 0..<values.count * 3 / 2, using: &random)
    }
    #expect(share >= (values == .large ? 0.9 : 0.75))
    #expect(try folder.logBytes() <= values.limit)
  }

  /// Of values in files of their own, exactly the least recently used ones are evicted, and no more than necessary.
  @Test func theLeastRecentlyUsedGoOneByOne() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: 50_000_000)
    for key in 0..<240 { try disk.setObject(Data(count: 200_000), forKey: key, expiry: nil) }
    #expect(try Set(disk.keys()) == Set(0..<240))
    for key in stride(from: 0, to: 240, by: 2) { _ = try disk.object(forKey: key) }
    for key in 240..<300 { try disk.setObject(Data(count: 200_000), forKey: key, expiry: nil) }
    let kept = try Set(disk.keys())
    #expect(kept.count >= 240)
    #expect(kept.isSuperset(of: stride(from: 0, to: 240, by: 2)))
    #expect(kept.isSuperset(of: 240..<300))
  }
}
