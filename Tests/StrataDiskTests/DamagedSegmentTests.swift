#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

/// Opening a log whose segments were damaged.
struct DamagedSegmentTests {
  let log: DamagedLog

  init() throws { log = try DamagedLog() }

  /// Damage to the head of a record makes its key unknown.
  @Test(arguments: [true, false])
  func aDamagedRecordIsSetAsideAndTheOthersSurvive(controlIsThere: Bool) throws {
    var stored = try log.fill()
    let segment = try log.lastSegment()
    var bad = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(150, seed: 15), in: bad)
    let place = try #require(found)
    bad[place - 1] ^= 1
    try bad.write(to: segment)
    if !controlIsThere { try FileManager.default.removeItem(at: log.control) }
    stored[15] = nil
    try log.expect(stored)
    #expect(log.folder.damage.all == [.malformedFileAttributes])
    #expect(log.folder.damage.all.first?.place == segment.path)
    #expect(try log.folder.damagedNames().count == 1)
  }

  @Test func damageThatCannotBeKeptStaysWhereItIs() throws {
    var stored = try log.fill()
    let segment = try log.lastSegment()
    var bad = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(150, seed: 15), in: bad)
    bad[try #require(found) - 1] ^= 1
    try bad.write(to: segment)
    let shelf = log.folder.store.appending(path: EntryName.damaged)
    try text("no folder").write(to: shelf)
    stored[15] = nil
    try log.expect(stored)
    #expect(try Data(contentsOf: segment) == bad)
    #expect(log.folder.damage.all.allSatisfy { $0.cause != nil })
    try FileManager.default.removeItem(at: shelf)
    try log.expect(stored)
    #expect(try log.folder.damagedNames().count == 1)
    #expect(try Data(contentsOf: segment) != bad)
  }

  /// The key's older value must not be returned.
  @Test(arguments: [true, false])
  func aSpoiledValueHidesTheOneBeforeIt(controlIsThere: Bool) throws {
    var stored = try log.fill()
    try log.folder.open(Int.self).setObject(bytes(77, seed: 77), forKey: 15, expiry: nil)
    try log.folder.open(Int.self).setObject(bytes(1), forKey: 30, expiry: nil)
    stored[30] = bytes(1)
    let segment = try log.lastSegment()
    var bad = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(77, seed: 77), in: bad)
    let place = try #require(found)
    bad[place] ^= 1
    try bad.write(to: segment)
    if !controlIsThere { try FileManager.default.removeItem(at: log.control) }
    let disk = try log.folder.open(Int.self)
    #expect(try disk.keys().count == 31)
    let error = failure { try disk.object(forKey: 15) }
    #expect(error == .malformedFileAttributes && error?.key as? Int == 15 && error?.place == segment.path)
    #expect(try disk.entryIfPresent(forKey: 15) == nil)
    stored[15] = nil
    try log.expect(stored)
    #expect(log.folder.damage.all == [])
    #expect(try log.folder.damagedNames().count == 1)
  }

  /// With a table of contents, opening the store does not read the records themselves.
  @Test func damageInAFullSegmentIsFoundByTheRead() throws {
    var stored = try log.fill(3000)
    let segment = try #require(try log.folder.segments().first)
    var bad = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(1000, seed: 15), in: bad)
    let place = try #require(found)
    bad[place] ^= 1
    try bad.write(to: segment)
    let disk = try log.folder.open(Int.self)
    let other = try log.folder.open(Int.self)
    let error = failure { try disk.object(forKey: 15) }
    #expect(error == .malformedFileAttributes)
    #expect(error?.key as? Int == 15)
    #expect(error?.place == segment.path)
    #expect(try disk.entryIfPresent(forKey: 15) == nil)
    #expect(try other.entryIfPresent(forKey: 15) == nil)
    #expect(try log.folder.damagedNames().count == 1)
    stored[15] = nil
    try log.expect(stored)
    #expect(log.folder.damage.all == [])
  }

  /// A table of contents lists the record, so nothing but a listing finds that its key cannot be read. Its first eight
  /// bytes are the checksum of the value: with these damaged, the key is listed, and reading it throws.
  @Test(arguments: [true, false]) func aListingReportsADamagedHead(isReadOnly: Bool) throws {
    var stored = try log.fill(700)
    #expect(try log.folder.segments().count > 1)
    let segment = try #require(try log.folder.segments().first)
    let good = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(1000, seed: 15), in: good)
    let start = try #require(found) - Record.headerSize - 2
    let whole = Set(stored.keys)
    stored[15] = nil
    for offset in 0..<Record.headerSize + 2 {
      var bad = good
      bad[start + offset] ^= 0x20
      try bad.write(to: segment)
      for pages in [true, false] {
        let damage = Findings()
        var config = DiskConfig(name: "store", directory: log.folder.url) { damage.add($0) }
        config.isReadOnly = isReadOnly
        let disk = try DiskStorage<Int>(config: config)
        // The second listing reports nothing again.
        for _ in 0..<2 {
          var keys: [Int] = []
          if pages { try disk.forEachKeyPage(limit: 100) { keys += $0 } } else { keys = try disk.keys() }
          #expect(Set(keys) == (offset < 8 ? whole : Set(stored.keys)), "byte \(offset)")
        }
        #expect(damage.all == (offset < 8 ? [] : [.malformedFileAttributes]), "byte \(offset)")
        if let error = damage.all.first {
          #expect(error.message.contains("\(start)") && error.place == segment.path)
        }
      }
    }
    #expect(try log.folder.damagedNames().isEmpty)
  }

  @Test(arguments: [8, 30, 200, 5000])
  func aDamagedTableOfContentsIsNotUsed(_ fromEnd: Int) throws {
    let stored = try log.fill(3000)
    let segment = try #require(try log.folder.segments().first)
    var bad = try Data(contentsOf: segment)
    bad[bad.count - fromEnd] ^= 1
    try bad.write(to: segment)
    try log.expect(stored)
  }

  @Test func anInvalidSegmentIsSetAside() throws {
    let stored = try log.fill(3000)
    let segments = try log.folder.segments()
    #expect(segments.count > 3)
    try bytes(5000).write(to: segments[1])
    let disk = try log.folder.open(Int.self)
    #expect(log.folder.damage.all == [.malformedFileAttributes])
    #expect(try log.folder.damagedNames().count == 1)
    let keys = try disk.keys()
    #expect(keys.count < 3000 && keys.count > 2000)
    for key in keys { #expect(try disk.object(forKey: key) == stored[key]) }
  }

  @Test func swappedSegmentsAreNeverReadAsEachOther() throws {
    let stored = try log.fill(3000)
    let segments = try log.folder.segments()
    let first = try Data(contentsOf: segments[0])
    try Data(contentsOf: segments[1]).write(to: segments[0])
    try first.write(to: segments[1])
    let disk = try log.folder.open(Int.self)
    for key in 0..<3000 {
      if let read = try disk.entryIfPresent(forKey: key) { #expect(read.object == stored[key]) }
    }
    #expect(try log.folder.damagedNames().count == 2)
  }

  /// Most segments belong to this log, which shows that the remaining one comes from another folder.
  @Test func aSegmentOfAnotherFolderDoesNotTakeTheLogOver() throws {
    let stored = try log.fill(3000)
    let other = try TestFolder(.automatic)
    try other.open(Int.self).setObject(bytes(7), forKey: 7, expiry: nil)
    let foreign = try #require(try other.names().first { EntryName.segmentNumber($0) != nil })
    try FileManager.default.copyItem(
      at: other.store.appending(path: foreign), to: log.folder.store.appending(path: EntryName.segment(99)))
    try FileManager.default.removeItem(at: log.control)
    try log.expect(stored)
    #expect(log.folder.damage.all == [.malformedFileAttributes])
    #expect(try log.folder.damagedNames().count == 1)
  }
}
