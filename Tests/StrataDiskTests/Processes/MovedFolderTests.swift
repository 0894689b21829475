#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// Files that another program deletes or moves while a store is open. Two stores in one process behave like two
/// processes.
struct MovedFolderTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder(.automatic) }

  private var control: URL { folder.store.appending(path: "control") }

  private func move() throws {
    try FileManager.default.moveItem(at: folder.store, to: folder.url.appending(path: "moved"))
  }

  /// The first store continues to write, together with one that was opened at the path afterwards.
  @Test(arguments: [false, true]) func theFolderIsMoved(_ isMadeAgain: Bool) throws {
    let old = try folder.open(Int.self)
    for key in 0..<700 { try old.setObject(bytes(1000, seed: key), forKey: key, expiry: nil) }
    try move()
    let new = isMadeAgain ? try folder.open(Int.self) : old
    for key in 1000..<3000 {
      try (key % 2 == 0 ? old : new).setObject(bytes(1000, seed: key), forKey: key, expiry: nil)
    }
    let last = try folder.open(Int.self)
    #expect(try last.verify() == [])
    // The old store writes to the moved folder until it next checks its path.
    let first = 1000 + 2 * LogWriter.changesBetweenLooks
    for store in [old, new, last] {
      for key in 1000..<3000 where key > first || key % 2 == 1 && isMadeAgain {
        #expect(try store.objectIfPresent(forKey: key) == bytes(1000, seed: key), "\(key)")
      }
    }
    #expect(folder.damage.all == [])
  }

  @Test func removeAllDoesNotReachTheNewFolder() throws {
    let old = try folder.open(Int.self)
    try old.setObject(bytes(10), forKey: 1, expiry: nil)
    try move()
    let new = try folder.open(Int.self)
    try new.setObject(bytes(20), forKey: 2, expiry: nil)
    // The old store treats the new folder as its own, and removes its entries.
    try old.removeAll()
    #expect(try new.entryIfPresent(forKey: 2) == nil)
    #expect(try folder.open(Int.self).verify() == [])
  }

  /// A new segment's name is already taken by another store's segment.
  @Test func aSegmentOfAnotherStoreIsNotDeleted() throws {
    let disk = try folder.open(Int.self)
    try disk.setObject(bytes(10), forKey: 1, expiry: nil)
    let header = SegmentHeader(number: 2, secret: Secret(low: 1, high: 2))
    let url = folder.store.appending(path: EntryName.segment(2))
    try Data(header.bytes).write(to: url)
    for key in 0..<800 { try disk.setObject(bytes(1000, seed: key), forKey: key, expiry: nil) }
    let kept = try #require(try folder.damagedNames().first)
    #expect(try Data(contentsOf: folder.store.appending(path: "Damaged/\(kept)")) == Data(header.bytes))
    #expect(try folder.open(Int.self).keys().count == 800)
  }

  @Test(arguments: [10, 100_000]) func theFolderIsDeleted(_ size: Int) throws {
    let disk = try folder.open(Int.self)
    try disk.setObject(bytes(10), forKey: 1, expiry: nil)
    try FileManager.default.removeItem(at: folder.store)
    try disk.setObject(bytes(size), forKey: 2, expiry: nil)
    #expect(try disk.object(forKey: 2) == bytes(size))
    #expect(try folder.open(Int.self).keys() == [2])
    try FileManager.default.removeItem(at: folder.store)
    try disk.setObjects([3: bytes(size), 4: bytes(10)], expiry: nil)
    #expect(try Set(disk.keys()) == [3, 4])
  }

  enum ControlLoss: CaseIterable { case deleted, moved, replaced }

  /// Stores that had the file open, and a store that rebuilds it, write in turn.
  @Test(arguments: ControlLoss.allCases) func theControlFileAlone(_ loss: ControlLoss) throws {
    let stores = [try folder.open(Int.self), try folder.open(Int.self)]
    for key in 0..<20 { try stores[key % 2].setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    switch loss {
    case .deleted: try FileManager.default.removeItem(at: control)
    case .moved: try FileManager.default.moveItem(at: control, to: folder.url.appending(path: "c"))
    case .replaced: try Data(contentsOf: control).write(to: control, options: .atomic)
    }
    let third = try folder.open(Int.self)
    for key in 20..<2000 {
      try (stores + [third])[key % 3].setObject(
        bytes(key % 100 == 0 ? 66_000 : 900, seed: key), forKey: key, expiry: nil)
    }
    for disk in stores + [third, try folder.open(Int.self)] {
      for key in 0..<2000 {
        let count = key < 20 ? 100 : key % 100 == 0 ? 66_000 : 900
        #expect(try disk.objectIfPresent(forKey: key) == bytes(count, seed: key), "\(key)")
      }
    }
    #expect(folder.damage.all == [])
    #expect(try third.verify() == [])
  }

  /// Without a check, writes would go to a file without a name. The open file can still be read, and is stored again
  /// under its name.
  @Test func aSegmentIsDeletedInUse() throws {
    let disk = try folder.open(Int.self)
    for key in 0..<10 { try disk.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.segment(1)))
    for key in 10..<200 { try disk.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    #expect(folder.damage.all == [.malformedFileAttributes])
    let again = try folder.open(Int.self)
    for key in 0..<200 { #expect(try again.objectIfPresent(forKey: key) == bytes(100, seed: key)) }
  }

  /// While a store is idle, more segments are created and deleted than the index can number.
  @Test func aStoreThatWasIdleForLong() throws {
    let idle = try folder.open(Int.self)
    for key in 0..<5 { try idle.setObject(bytes(500, seed: key), forKey: key, expiry: nil) }
    let control = try ControlFile(in: EntryFolder(path: folder.store.path))
    try control.lock()
    let number = control.tail.segment + (Location.segmentMask + 1)
    control.oldest = number
    control.tail = LogPosition(segment: number, offset: 0)
    control.logBytes = 0
    control.seal()
    control.unlock()
    try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.segment(1)))
    let busy = try folder.open(Int.self)
    for key in 10..<40 { try busy.setObject(bytes(70, seed: key), forKey: key, expiry: nil) }
    for key in 0..<5 { #expect(try idle.entryIfPresent(forKey: key) == nil) }
    for key in 0..<5 { try idle.removeObject(forKey: key) }
    for disk in [idle, busy, try folder.open(Int.self)] {
      for key in 10..<40 { #expect(try disk.objectIfPresent(forKey: key) == bytes(70, seed: key)) }
    }
    #expect(folder.damage.all == [])
  }

  #if os(Linux)
    /// After a reboot, a process without write permission opens the log first, and builds its own page.
    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"), arguments: [true, false])
    func aReaderThatComesBeforeTheWriter(controlIsThere: Bool) throws {
      let disk = try SmallFileSystem(size: "1m")
      let folder = try TestFolder(.automatic, in: disk.url)
      try folder.open(Int.self).setObject(bytes(10, seed: 1), forKey: 1, expiry: nil)
      let control = folder.store.appending(path: "control")
      if controlIsThere {
        let file = try File(control.path, O_RDWR)
        try file.write([1, 2, 3], at: 8)
      } else {
        try FileManager.default.removeItem(at: control)
      }
      let view = TemporaryFolder()
      try run("mount", "--bind", folder.url.path, view.url.path)
      defer { do { try run("umount", "--lazy", view.url.path) } catch { Issue.record(error) } }
      try run("mount", "-o", "remount,bind,ro", view.url.path)
      let reader = try DiskStorage<Int>(config: DiskConfig(name: "store", directory: view.url))
      #expect(try reader.object(forKey: 1) == bytes(10, seed: 1))
      #expect(reader.cachedEntry(forKey: 2) == .unknown)
      let writer = try folder.open(Int.self)
      try writer.setObject(bytes(20, seed: 2), forKey: 2, expiry: nil)
      try writer.removeObject(forKey: 1)
      #expect(try reader.entryIfPresent(forKey: 1) == nil)
      #expect(try reader.objectIfPresent(forKey: 2) == bytes(20, seed: 2))
      try writer.setObject(bytes(30, seed: 3), forKey: 2, expiry: nil)
      #expect(try reader.objectIfPresent(forKey: 2) == bytes(30, seed: 3))
      #expect(try reader.keys() == [2])
    }

    private func run(_ words: String...) throws {
      if try Program.run(words).end != .exit(0) { throw CallFailed(call: words.joined(separator: " ")) }
    }

    @Test(.enabled(if: FaultRunner.isAvailable)) func aForkedChildKeepsNoLock() async throws {
      let (end, lines) = try await FaultRunner.run("inheritance")
      #expect(lines == [])
      #expect(end == .exit(0))
    }
  #endif
}
