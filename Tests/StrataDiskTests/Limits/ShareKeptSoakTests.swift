#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// The share of the limit that entries take once it has been reached.
struct ShareKeptSoakTests {
  /// Returns the bytes of an entry: its record with header and key, and its slot in a table of contents.
  private static func bytes(_ size: Int) -> Int {
    Record.length(Record.headerSize + 4 + size) + IndexSlot.size
  }

  /// Sets of value sizes; each size contributes the same number of bytes.
  enum Values: CaseIterable {
    case tiny, small, large, huge, mixed

    var sizes: [Int] {
      switch self {
      case .tiny: [100]
      case .small: [10_000]
      case .large: [200_000]
      case .huge: [5_000_000]
      case .mixed: [100, 10_000, 200_000, 1_000_000]
      }
    }

    var limit: Int {
      switch self {
      case .tiny: 6_000_000
      case .small: 8_000_000
      case .large: 30_000_000
      case .mixed: 24_000_000
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

    /// Returns how many entries of a size fit into that size's share of the limit.
    func count(of size: Int) -> Int { limit / sizes.count / ShareKeptSoakTests.bytes(size) }

    /// The number of entries that fit into the limit.
    var count: Int { sizes.reduce(0) { $0 + count(of: $1) } }
  }

  /// Writes the given number of bytes. Returns the smallest share of the limit that live entries had towards the end.
  private func leastShare(
    of values: Values, _ disk: DiskStorage<Int>, writing end: Int, _ sizes: inout [Int: Int],
    key: (Int, _ size: Int, inout Seeded) -> Int
  ) throws -> Double {
    var random = Seeded(state: 1)
    var written = 0
    var least = 1.0
    var round = 0
    while written < end {
      let size = values.size(&random)
      let key = key(round, size, &random)
      try disk.setObject(Data(count: size), forKey: key, expiry: nil)
      sizes[key] = size
      written += Self.bytes(size)
      round += 1
      if written > end - values.limit / 4, round % max(1, values.count / 12) == 0 {
        let kept = try disk.keys().reduce(0) { $0 + Self.bytes(sizes[$1] ?? 0) }
        least = min(least, Double(kept) / Double(values.limit))
      }
    }
    return least
  }

  /// Each key is written once, as is common in a cache. Mixed sizes, the slowest set, are replaced in the next test;
  /// here they run only in `make soak`.
  @Test(arguments: Soak.isOn ? Values.allCases : [.tiny, .small, .large, .huge])
  func atLeastNineTenthsOfTheLimit(_ values: Values) throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: UInt(values.limit))
    var sizes: [Int: Int] = [:]
    let share = try leastShare(of: values, disk, writing: values.limit / 2 * 3, &sizes) { round, _, _ in round
    }
    #expect(share >= 0.9)
    #expect(try folder.logBytes() <= values.limit)
    #expect(disk.totalSize == (try folder.logBytes()))
  }

  /// Sets of values, each with the number of keys as a multiple of the number that fits. The slowest ones run only in
  /// `make soak`.
  private static let replaced: [(Values, Double)] =
    [(.small, 1), (.mixed, 1.5)]
    + (Soak.isOn ? [(.tiny, 1.5), (.small, 1.5), (.large, 1), (.large, 1.5), (.huge, 1.5)] : [])

  /// Replaced entries leave dead bytes, which are reclaimed before entries are evicted.
  ///
  /// With 1.5 times as many keys as fit, some writes replace an entry and others add one. With as many as fit, nearly
  /// all writes replace an entry.
  @Test(arguments: replaced) func atLeastNineTenthsWhereEntriesAreReplaced(_ values: Values, _ keys: Double)
    throws
  {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: UInt(values.limit))
    var sizes: [Int: Int] = [:]
    for (place, size) in values.sizes.enumerated() {
      let keys = (0..<values.count(of: size)).map { place << 32 + $0 }
      // A batch is in one segment, which is reclaimed as a whole.
      let step = max(1, 50_000 / size)
      for start in stride(from: 0, to: keys.count, by: step) {
        let batch = keys[start..<min(start + step, keys.count)].map { ($0, Data(count: size)) }
        try disk.setObjects(Dictionary(uniqueKeysWithValues: batch), expiry: nil)
      }
      for key in keys { sizes[key] = size }
    }
    let share = try leastShare(of: values, disk, writing: values.limit * Soak.rounds(1, soak: 4), &sizes) {
      _, size, random in
      let count = Int(Double(values.count(of: size)) * keys)
      return (values.sizes.firstIndex(of: size) ?? 0) << 32 + Int.random(in: 0..<count, using: &random)
    }
    #expect(share >= 0.9, "\(values) of \(keys) times as many keys: \(share)")
    #expect(try folder.logBytes() <= values.limit)
    #expect(disk.totalSize == (try folder.logBytes()))
  }

  /// Reclaiming a dead byte moves as many bytes as there are live ones for each dead one: at most 16, or 27 if a file
  /// is kept although a few bytes are missing.
  @Test(arguments: [0, 1 << 30]) func movedBytesAreBounded(_ fileSize: Int) {
    for live in stride(from: 100_000, to: 100_000_000, by: 990_001) {
      for reserve in stride(from: 0, to: live / 5, by: live / 50) {
        // The least limit under which the next entry is not evicted.
        let surplus = fileSize > 0 ? live / 40 : 0
        let limit = Shortage.withDead(live, reserve: reserve) - surplus
        let shortage = Shortage(surplus: surplus, tolerance: live / 40)
        #expect(!shortage.evicts(fileSize: fileSize))
        #expect(Shortage(surplus: surplus + 1, tolerance: live / 40).evicts(fileSize: fileSize))
        let moved = Double(live) / Double(limit - reserve - live)
        #expect(moved < (fileSize > 0 ? 27 : 16.1), "\(live) and \(reserve)")
      }
    }
  }

  /// The file of a replaced value is deleted with the write, so that no entry is evicted for the new value.
  @Test(arguments: [false, true]) func nothingIsEvictedForAFileThatReplacesOne(_ inBatches: Bool) throws {
    let folder = try TestFolder(.automatic)
    let limit = 10_000_000
    let disk = try folder.open(Int.self, maxSize: UInt(limit))
    for round in 0..<30 {
      let keys = inBatches ? [round % 9, (round + 4) % 9] : [round % 9]
      let values = keys.map { ($0, Data(count: 1_000_000)) }
      try disk.setObjects(Dictionary(uniqueKeysWithValues: values), expiry: nil)
      #expect(try folder.logBytes() <= limit)
    }
    #expect(try Set(disk.keys()) == Set(0..<9))
    // A new key needs additional space, even if a replaced entry is evicted for it.
    let new = Dictionary(uniqueKeysWithValues: [4, 10, 11].map { ($0, Data(count: 1_000_000)) })
    try disk.setObjects(new, expiry: nil)
    #expect(try folder.logBytes() <= limit)
    #expect(disk.totalSize == (try folder.logBytes()))
    let kept = try Set(disk.keys())
    #expect(kept.isSuperset(of: [4, 10, 11]) && kept.count == 9)
  }

  /// If values are in files of their own, exactly the least recently used ones are evicted, and no more than necessary.
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
