import Foundation
import StrataCore
import Testing

@testable import StrataDisk

/// The costs that grow with the number of entries, and the costs that do not. Only ratios are tested, with generous
/// bounds.
@Suite(.serialized) struct ScaleTests {
  private let clock = ContinuousClock()

  private func fill(_ disk: DiskStorage<Int>, _ count: Int) throws {
    let value = bytes(100)
    for first in stride(from: 0, to: count, by: 1000) {
      let keys = first..<min(count, first + 1000)
      try disk.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: nil)
    }
  }

  /// Returns the median of many short measurements.
  private func cost(_ body: (inout Seeded) throws -> Void) rethrows -> Double {
    var random = Seeded(state: 7)
    var times: [Duration] = []
    for _ in 0..<100 {
      times.append(try clock.measure { for _ in 0..<20 { try body(&random) } })
    }
    return times.sorted()[50] / .seconds(1)
  }

  @Test func aHundredThousandEntries() throws {
    let small = try TestFolder(.automatic)
    let large = try TestFolder(.automatic)
    let few = try small.open(Int.self)
    try fill(few, 1000)
    let before = try large.open(Int.self)
    let filling = try clock.measure { try fill(before, 100_000) }

    var many = before
    var openings: [Duration] = []
    for _ in 0..<3 {
      openings.append(
        try clock.measure {
          many = try large.open(Int.self)
          #expect(try many.entryIfPresent(forKey: 77_777) != nil)
        })
    }
    // Opening does not check records, and reads only a fifth of the bytes.
    #expect(try #require(openings.min()) < filling)

    let value = bytes(100)
    for (name, body) in [
      ("get", { _ = try $0.entryIfPresent(forKey: $1) }),
      ("put", { try $0.setObject(value, forKey: $1, expiry: nil) }),
      ("miss", { _ = try $0.entryIfPresent(forKey: -1 - $1) }),
    ] as [(String, (DiskStorage<Int>, Int) throws -> Void)] {
      let one = try cost { try body(few, Int.random(in: 0..<1000, using: &$0)) }
      let other = try cost { try body(many, Int.random(in: 0..<100_000, using: &$0)) }
      #expect(other < 4 * one, "\(name): \(one) with 1 000 entries, \(other) with 100 000")
    }

    #expect(try Set(many.keys()) == Set(0..<100_000))
    let wanted = Array(stride(from: 0, to: 200_000, by: 50))
    let found = try many.entries(forKeys: wanted)
    #expect(found.count == 2000)
    #expect(found.values.allSatisfy { $0.object == value })
    try many.removeAll()
    #expect(many.totalSize == 0)
    #expect(try before.entryIfPresent(forKey: 5) == nil)
    #expect(try before.keys() == [])
    #expect(try EntryFolder(path: large.store.path).segmentNumbers() == [])
  }

  /// Eviction does not examine more entries in a larger store.
  @Test func evictionCostsTheSameWithManyEntries() throws {
    let disks = try [2000, 40_000].map { count in
      let disk = try TestFolder(.automatic).open(Int.self, maxSize: UInt(count * 150))
      try fill(disk, count * 3 / 2)
      #expect(try disk.keys().count < count * 5 / 4)
      return disk
    }
    let value = bytes(100)
    var key = 100_000
    // The two are measured alternately, and the best time of each counts, so that other load on the machine does not
    // affect only one.
    var costs = [Double](repeating: .infinity, count: 2)
    for _ in 0..<4 {
      for (i, disk) in disks.enumerated() {
        let start = secondsOfThisThread()
        for _ in 0..<2500 {
          key += 1
          try disk.setObject(value, forKey: key, expiry: nil)
        }
        costs[i] = Swift.min(costs[i], secondsOfThisThread() - start)
      }
    }
    #expect(costs[1] < costs[0] * 4)
  }

  /// Returns the processor time of this thread.
  private func secondsOfThisThread() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The value is stored in one piece, and not copied from segment to segment.
  @Test(arguments: [DiskLayout.automatic, .packed])
  func aHugeValue(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    let value = Data(repeating: 5, count: 1 << 26)
    try disk.setObject(value, forKey: "huge", expiry: nil)
    try disk.setObject(Data(), forKey: "empty", expiry: nil)
    for disk in [disk, try folder.open()] {
      let entry = try disk.entry(forKey: "huge")
      #expect(entry.object == value)
      #expect(entry.filePath != nil)
      #expect(try disk.entry(forKey: "empty") == Entry(object: Data()))
    }
    #expect(disk.totalSize < value.count + 10_000)
  }
}
