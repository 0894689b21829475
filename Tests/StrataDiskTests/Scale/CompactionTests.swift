import Foundation
import StrataCore
import Testing

@testable import StrataDisk

struct CompactionTests {
  /// The maximum size of the log: three times its live bytes, plus a megabyte.
  private func bound(_ entries: Int, of count: Int) -> Int { 3 * entries * (count + 64) + 1 << 20 }

  @Test func spaceComesBackUnderEndlessOverwrites() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self)
    var random = Seeded(state: 1)
    for key in 0..<1000 { try disk.setObject(bytes(900, seed: key), forKey: key, expiry: nil) }
    for round in 0..<12_000 {
      try disk.setObject(bytes(900), forKey: Int.random(in: 0..<1000, using: &random), expiry: nil)
      if round % 50 == 0 { #expect(try folder.logBytes() <= bound(1000, of: 900)) }
    }
    #expect(try disk.keys().count == 1000)
  }

  /// Processes run one after the other, none of which writes enough to start compaction on its own.
  @Test(arguments: [1, 52])
  func spaceComesBackWithShortLivedProcesses(_ writes: Int) throws {
    let folder = try TestFolder(.automatic)
    let (count, live) = (1000, 52 * (1000 + 64))
    // Three times the live bytes, a segment, and one step of compaction that has not started yet.
    let bound = 3 * live + 1 << 19 + 1 << 16
    for run in 0..<(writes == 1 ? 1000 : 200) {
      let disk = try folder.open(Int.self)
      for write in 0..<writes {
        try disk.setObject(Data(count: count), forKey: (run + write) % 52, expiry: nil)
      }
      // Listing the files takes longer than opening the store, so it is done rarely.
      if run % 8 != 0 { continue }
      #expect(try folder.logBytes() <= bound)
    }
  }

  /// Removals write little and free much. The freed space is reclaimed all the same.
  @Test(arguments: [1, 500])
  func spaceComesBackAfterRandomRemovals(_ batch: Int) throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self)
    var random = Seeded(state: 2)
    let value = bytes(1000)
    for first in stride(from: 0, to: 8000, by: 1000) {
      try disk.setObjects(
        Dictionary(uniqueKeysWithValues: (first..<first + 1000).map { ($0, value) }), expiry: nil)
    }
    #expect(try folder.logBytes() > 8_000_000)
    let keys = (0..<8000).shuffled(using: &random)
    for first in stride(from: 0, to: 7500, by: batch) {
      try disk.removeObjects(forKeys: Array(keys[first..<first + batch]))
    }
    // Later writes compact the rest if a batch frees more than one step of compaction reclaims.
    for round in 0..<100 { try disk.setObject(value, forKey: keys[7500 + round], expiry: nil) }
    #expect(try folder.logBytes() <= bound(500, of: 1000))
    for key in keys[7500...] { #expect(try disk.object(forKey: key) == value) }
    #expect(try Set(folder.open(Int.self).keys()) == Set(keys[7500...]))
  }

  /// While one store empties the log, another reads the moved entries, and never misses one.
  @Test func readersBesideItNeverFail() throws {
    let folder = try TestFolder(.automatic)
    let stores = [try folder.open(Int.self), try folder.open(Int.self)]
    let value = bytes(3000)
    for key in 0..<300 { try stores[0].setObject(value, forKey: key, expiry: nil) }
    let missed = Locked(0)
    let reads = Locked(0)
    let isDone = Locked(false)
    let readers = stores.map { store in
      Thread {
        while !isDone.withLock({ $0 }) {
          for key in 0..<100 {
            let found: Data?
            do { found = try store.entryIfPresent(forKey: key)?.object } catch {
              Issue.record(error)
              return
            }
            if found != value { missed.withLock { $0 += 1 } }
          }
          reads.withLock { $0 += 1 }
        }
      }
    }
    readers.forEach { $0.start() }
    for round in 0..<3000 { try stores[0].setObject(value, forKey: 100 + round % 200, expiry: nil) }
    isDone.withLock { $0 = true }
    while !readers.allSatisfy(\.isFinished) { sched_yield() }
    #expect(missed.withLock { $0 } == 0)
    #expect(reads.withLock { $0 } > 0)
    // The first segments were deleted, so their records were moved.
    #expect(try EntryFolder(path: folder.store.path).segmentNumbers().first ?? 0 > 3)
  }
}
