import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// Lookups in a disk store that complete without waiting (`cachedEntry`).
@Suite(.enabled(if: PageCache.canTell), .timeLimit(.minutes(10)))
struct DiskCacheLookupTests {
  @Test(arguments: LogStoreTests.layouts, [0, 1, 100, 4000, 4096, 5000, 60_000])
  func entriesInThePageCache(_ layout: DiskLayout, _ count: Int) throws {
    let folder = try TestFolder(layout)
    let time = ManualClock()
    let disk = try folder.open(clock: time.clock)
    let expiry = Expiry.seconds(10).resolved(by: time.clock)
    try disk.setObject(bytes(count), forKey: "k", expiry: nil)
    try disk.setObject(bytes(count, seed: 1), forKey: "expires", expiry: expiry)
    for _ in 0..<2 {
      #expect(disk.cachedEntry(forKey: "k") == .found(Entry(object: bytes(count))))
      #expect(disk.cachedExpiry(forKey: "k") == .found(.never))
      #expect(
        disk.cachedEntry(forKey: "expires") == .found(Entry(object: bytes(count, seed: 1), expiry: expiry)))
      #expect(disk.cachedExpiry(forKey: "expires") == .found(expiry))
      // Expired entries are returned too, as by a read.
      time.advance(by: 20)
    }
    try disk.setObject(text("new"), forKey: "k", expiry: nil)
    #expect(disk.cachedEntry(forKey: "k") == .found(Entry(object: text("new"))))
  }

  @Test(arguments: LogStoreTests.layouts)
  func absentKeys(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    #expect(disk.cachedEntry(forKey: "k") == .absent)
    try disk.setObject(text("1"), forKey: "k", expiry: nil)
    #expect(disk.cachedEntry(forKey: "other") == .absent)
    try disk.removeObject(forKey: "k")
    #expect(disk.cachedEntry(forKey: "k") == .absent)
    #expect(disk.cachedExpiry(forKey: "k") == .absent)
    try disk.setObject(text("1"), forKey: "k", expiry: .date(.distantPast))
    try disk.removeExpiredObjects()
    #expect(disk.cachedEntry(forKey: "k") == .absent)
    try disk.setObject(text("1"), forKey: "k", expiry: nil)
    try disk.removeAll()
    #expect(disk.cachedEntry(forKey: "k") == .absent)
  }

  /// Values in files, long values, and stores that are not open yet are left to an ordinary read.
  @Test func lookupsLeftToARead() throws {
    let folder = try TestFolder(.packed)
    let disk = try folder.open()
    try disk.setObject(bytes(70_000), forKey: "long", expiry: nil)
    #expect(disk.cachedEntry(forKey: "long") == .unknown)
    #expect(try disk.object(forKey: "long") == bytes(70_000))
    let ofAutomatic = try TestFolder(.automatic)
    let automatic = try ofAutomatic.open()
    try automatic.setObject(bytes(70_000), forKey: "file", expiry: nil)
    #expect(automatic.cachedEntry(forKey: "file") == .unknown)
    #expect(automatic.cachedExpiry(forKey: "file") == .unknown)
    let ofFiles = try TestFolder(.files)
    let files = try ofFiles.open()
    try files.setObject(text("1"), forKey: "k", expiry: nil)
    for key in ["k", "x"] { #expect(files.cachedEntry(forKey: key) == .unknown) }
    let lazy = DiskStorage.folder("StrataDiskTests-\(UUID().uuidString)", in: .cachesDirectory)
    #expect(lazy.cachedEntry(forKey: "k") == .unknown)
    #expect(!FileManager.default.fileExists(atPath: lazy.path), "not even the folder is made for it")
  }

  @Test(.enabled(if: PageCache.canBeHidden)) func entriesOutsideThePageCache() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder(.automatic)
      let disk = try folder.open()
      for count in [0, 100, 4000] { try disk.setObject(bytes(count), forKey: "\(count)", expiry: nil) }
      try PageCache.hide()
      for count in [0, 100, 4000] {
        #expect(disk.cachedEntry(forKey: "\(count)") == .unknown)
        #expect(try disk.object(forKey: "\(count)") == bytes(count))
      }
      #expect(disk.cachedEntry(forKey: "x") == .absent, "for that nothing is read")
    }
  }

  /// A record of which the system returns only a part is unknown, wherever it ends.
  @Test func halfOfARecord() throws {
    let folder = try TestFolder(.packed)
    let disk = try folder.open()
    try disk.setObject(bytes(60_000), forKey: "k", expiry: nil)
    let file = try File(folder.store.appending(path: EntryName.segment(1)).path, O_RDWR)
    let whole = try file.bytes(70_000, at: 0)
    for end in stride(from: SegmentHeader.size, to: SegmentHeader.size + 60_000, by: 2000) {
      #expect(ftruncate(file.descriptor, off_t(end)) == 0)
      #expect(disk.cachedEntry(forKey: "k") == .unknown)
      try file.write(Array(whole.dropFirst(end)), at: end)
      #expect(disk.cachedEntry(forKey: "k") == .found(Entry(object: bytes(60_000))))
    }
  }

  /// Writes of another store over the folder, or of another process, are unknown until this store has read them.
  @Test func writesOfOtherStores() throws {
    let folder = try TestFolder(.automatic)
    let (disk, other) = (try folder.open(), try folder.open())
    try disk.setObject(text("1"), forKey: "k", expiry: nil)
    #expect(other.cachedEntry(forKey: "k") == .unknown)
    #expect(other.cachedEntry(forKey: "x") == .unknown)
    #expect(try other.object(forKey: "k") == text("1"))
    #expect(other.cachedEntry(forKey: "k") == .found(Entry(object: text("1"))))
    for change in [{ try disk.setObject(text("2"), forKey: "k", expiry: nil) }, { try disk.removeAll() }] {
      try change()
      #expect(other.cachedEntry(forKey: "k") == .unknown)
      #expect(other.cachedExpiry(forKey: "k") == .unknown)
      let now = try other.entryIfPresent(forKey: "k")
      #expect(other.cachedEntry(forKey: "k") == now.map(CacheLookup.found) ?? .absent)
    }
  }

  /// A rebuilt log is a different log, even if it ends at the same position.
  @Test func aLogMadeAnew() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    try disk.setObject(text("1"), forKey: "k", expiry: nil)
    let control = try File(folder.store.appending(path: EntryName.control).path, O_RDWR)
    var generation = try control.bytes(8, at: 32)
    generation[0] ^= 1
    try control.write(generation, at: 32)
    #expect(disk.cachedEntry(forKey: "k") == .unknown)
    #expect(disk.cachedEntry(forKey: "x") == .unknown)
  }

  /// If the system cannot report which bytes are in the page cache, values are read, and absence is still known.
  @Test(.enabled(if: TemporaryFolder.memory != nil))
  func withoutReportsOfThePageCache() throws {
    let folder = try TestFolder(.automatic, in: #require(TemporaryFolder.memory))
    let disk = try folder.open()
    for round in 0..<3 {
      try disk.setObject(bytes(100, seed: round), forKey: "k", expiry: nil)
      let said = disk.cachedEntry(forKey: "k")
      // Some versions of the system can report the page cache even for this file system.
      #expect(said == .unknown || said == .found(Entry(object: bytes(100, seed: round))))
      #expect(try disk.object(forKey: "k") == bytes(100, seed: round))
      #expect(disk.cachedEntry(forKey: "x") == .absent)
    }
  }

  /// Lookups are not blocked by a waiting write that holds all locks of the log.
  @Test func besideAWriterThatWaits() async throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    try await disk.setObject(text("1"), forKey: "k", expiry: nil)
    let control = try ControlFile(in: EntryFolder(path: folder.store.path))
    try control.lock()
    let writer = Task { try await onThread { try disk.setObject(text("2"), forKey: "k", expiry: nil) } }
    for _ in 0..<1000 { #expect(disk.cachedEntry(forKey: "k") == .found(Entry(object: text("1")))) }
    control.unlock()
    try await writer.value
    #expect(disk.cachedEntry(forKey: "k") == .found(Entry(object: text("2"))))
  }

  /// A damaged record is never returned. It is left to an ordinary read, and not copied to `Damaged`.
  @Test(arguments: [0, 8, 12, 20, 30, 36, 40])
  func damage(_ position: Int) throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    try disk.setObject(bytes(100), forKey: "key", expiry: .date(.distantFuture))
    try disk.setObject(text("sound"), forKey: "other", expiry: nil)
    let file = try File(folder.store.appending(path: EntryName.segment(1)).path, O_RDWR)
    var byte = try file.bytes(1, at: SegmentHeader.size + position)
    byte[0] ^= 4
    try file.write(byte, at: SegmentHeader.size + position)
    for _ in 0..<2 {
      #expect(disk.cachedEntry(forKey: "key") == .unknown)
      #expect(disk.cachedExpiry(forKey: "key") == .unknown)
    }
    #expect(folder.damage.all == [])
    #expect(try folder.damagedNames() == [])
    #expect(failure { try disk.entryIfPresent(forKey: "key") } == .malformedFileAttributes)
    #expect(disk.cachedEntry(forKey: "key") == .absent)
    #expect(disk.cachedEntry(forKey: "other") == .found(Entry(object: text("sound"))))
  }

  /// A key that is not in the log may have a file of an old format, so it is left to an ordinary read.
  @Test func oldEntries() throws {
    let old = try TestFolder(.files)
    try old.open().setObject(text("old"), forKey: "k", expiry: nil)
    let disk = try TestFolder(.automatic, over: old).open()
    #expect(disk.cachedEntry(forKey: "k") == .unknown)
    #expect(disk.cachedExpiry(forKey: "k") == .unknown)
    #expect(try disk.object(forKey: "k") == text("old"))
    #expect(disk.cachedEntry(forKey: "k") == .found(Entry(object: text("old"))))
    try disk.removeObject(forKey: "k")
    #expect(disk.cachedEntry(forKey: "k") == .unknown)
  }

  /// A hit counts as a use for eviction, and an evicted key is known to be absent.
  @Test(arguments: [true, false]) func eviction(_ ofExpiry: Bool) throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: 1_000_000)
    for key in 0..<8000 {
      try disk.setObject(bytes(500, seed: key), forKey: key, expiry: nil)
      guard key >= 5 else { continue }
      if ofExpiry {
        #expect(disk.cachedExpiry(forKey: key % 5) == .found(.never))
      } else {
        #expect(disk.cachedEntry(forKey: key % 5) == .found(Entry(object: bytes(500, seed: key % 5))))
      }
    }
    for key in 0..<8000 {
      let found = try disk.entryIfPresent(forKey: key)
      #expect(disk.cachedEntry(forKey: key) == found.map(CacheLookup.found) ?? .absent)
    }
    // The same holds for keys whose index slots have not been used since the store was opened.
    let again = try folder.open(Int.self, maxSize: 1_000_000)
    _ = try again.keys()
    for key in 5..<1000 { #expect(again.cachedEntry(forKey: key) == .absent) }
  }

  /// Concurrent reads, writes and compaction on two stores: every result was correct at some moment during its call.
  @Test func besideWritesAndCompaction() async throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: 2_000_000)
    let other = try folder.open(Int.self, maxSize: 2_000_000)
    let isDone = Shared(false)
    /// For each key, the last number whose write has begun, and the last whose write has returned.
    let begun = Shared([Int](repeating: 0, count: 8))
    let done = Shared([Int](repeating: 0, count: 8))
    @Sendable func value(_ number: Int) -> Data {
      Data("\(number) ".utf8) + bytes(3000 + number % 200, seed: number)
    }
    /// The number of hits of each reader.
    let known = Shared([0, 0, 0])
    let readers = (0..<3).map { reader in
      Task {
        try await onThread {
          while !isDone.value {
            for key in 0..<8 {
              let least = done.value[key]
              let said = disk.cachedEntry(forKey: key)
              let most = begun.value[key]
              switch said {
              case .unknown: continue
              case .absent: #expect(least == 0)
              case .found(let entry):
                let number = Int(String(decoding: entry.object.prefix { $0 != 32 }, as: UTF8.self)) ?? -1
                #expect(number >= least && number <= most, "\(least) \(most)")
                #expect(entry.object == value(number))
              }
              known.change { $0[reader] += 1 }
            }
          }
        }
      }
    }
    try await onThread {
      let end = ContinuousClock.now + .seconds(60)
      var number = 0
      // On a busy machine the readers start late.
      while number < 2000 || known.value.contains(where: { $0 < 100 }) && ContinuousClock.now < end {
        number += 1
        let key = number % 8
        begun.change { $0[key] = number }
        try (number % 16 < 12 ? disk : other).setObject(value(number), forKey: key, expiry: nil)
        done.change { $0[key] = number }
        // Ordinary reads make the other store's writes known to this one.
        if number % 16 == 0 { _ = try disk.entryIfPresent(forKey: key) }
      }
    }
    isDone.change { $0 = true }
    for reader in readers { try await reader.value }
    #expect(known.value.allSatisfy { $0 >= 100 })
    #expect(try disk.verify() == [])
  }
}
