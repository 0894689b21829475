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
import Testing

@testable import StrataDisk

/// Opening a log after damage to its files.
struct LogRecoveryTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder(.automatic) }

  private var control: URL { folder.store.appending(path: "control") }

  private func segments() throws -> [URL] {
    try folder.names().filter { EntryName.segmentNumber($0) != nil }.map { folder.store.appending(path: $0) }
  }

  private func lastSegment() throws -> URL { try #require(try segments().last) }

  /// Writes thirty entries to one segment, or many more to several.
  private func fill(_ count: Int = 30) throws -> [Int: Data] {
    let disk = try folder.open(Int.self)
    var stored: [Int: Data] = [:]
    for key in 0..<count {
      let value = bytes(count > 30 ? 1000 : key * 10, seed: key)
      try disk.setObject(value, forKey: key, expiry: nil)
      stored[key] = value
    }
    return stored
  }

  private func expect(_ stored: [Int: Data], sourceLocation: SourceLocation = #_sourceLocation) throws {
    for disk in [try folder.open(Int.self), try folder.open(Int.self)] {
      #expect(try Set(disk.keys()) == Set(stored.keys), sourceLocation: sourceLocation)
      for (key, value) in stored {
        #expect(try disk.object(forKey: key) == value, sourceLocation: sourceLocation)
      }
      #expect(try disk.totalSize == folder.logBytes(), sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [30, 3000], ["gone", "empty", "short", "long", "random", "folder", "link", "fifo"])
  func theControlFileIsMadeAnew(_ count: Int, _ fault: String) throws {
    let stored = try fill(count)
    switch fault {
    case "empty": try Data().write(to: control)
    case "short": try Data(contentsOf: control).prefix(100).write(to: control)
    case "long": try (Data(contentsOf: control) + bytes(100)).write(to: control)
    case "random": try bytes(4096).write(to: control)
    default:
      try FileManager.default.removeItem(at: control)
      if fault == "folder" {
        try FileManager.default.createDirectory(at: control, withIntermediateDirectories: false)
      }
      if fault == "link" { try call("symlink", symlink("/nowhere", control.path)) }
      if fault == "fifo" { try call("mkfifo", mkfifo(control.path, 0o600)) }
    }
    try expect(stored)
    #expect(folder.damage.all == [])
  }

  @Test func everyFlippedBitOfTheControlFileIsSeen() throws {
    let stored = try fill()
    let good = try Data(contentsOf: control)
    // A step of 5 meets every byte, and each bit in some of them.
    for bit in stride(from: 0, to: 112 * 8, by: 5) {
      var bad = good
      bad[bit / 8] ^= 1 << (bit % 8)
      try bad.write(to: control)
      let disk = try folder.open(Int.self)
      #expect(try disk.object(forKey: 29) == stored[29], "bit \(bit)")
      #expect(try disk.keys().count == 30, "bit \(bit)")
    }
    #expect(folder.damage.all == [])
  }

  /// Another program writes into the page that is in use: the next write rebuilds it.
  @Test(arguments: [24, 72, 80, 96, 104]) func aByteOfThePageIsChangedInUse(_ offset: Int) throws {
    let disk = try folder.open(Int.self)
    for key in 0..<3 { try disk.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    let file = try File(control.path, O_RDWR)
    try file.write([file.bytes(1, at: offset)[0] ^ 1], at: offset)
    try disk.setObject(bytes(100, seed: 3), forKey: 3, expiry: nil)
    try expect(Dictionary(uniqueKeysWithValues: (0..<4).map { ($0, bytes(100, seed: $0)) }))
    #expect(try disk.verify() == [])
  }

  /// A copy of the folder, made while the store was in use: the control file is older or newer than the segments.
  @Test func aCopyIsOpenedByItsSegments() throws {
    let disk = try folder.open(Int.self)
    try disk.setObject(bytes(100), forKey: 1, expiry: nil)
    let older = try Data(contentsOf: control)
    try disk.setObject(bytes(200), forKey: 2, expiry: nil)
    try older.write(to: control, options: .atomic)
    try expect([1: bytes(100), 2: bytes(200)])
    // The first store detects that the folder has another control file now.
    try disk.setObject(bytes(300), forKey: 3, expiry: nil)
    try expect([1: bytes(100), 2: bytes(200), 3: bytes(300)])
  }

  /// Power is lost during the write of the last record: any part of it may be on the disk.
  @Test func aTornTailIsCut() throws {
    let stored = try fill()
    let segment = try lastSegment()
    let good = try Data(contentsOf: segment)
    let length = Record.length(Record.headerSize + 2 + 290)
    for count in stride(from: good.count - length, to: good.count, by: 7) {
      try good.prefix(count).write(to: segment)
      try FileManager.default.removeItem(at: control)
      var rest = stored
      rest[29] = nil
      try expect(rest)
      #expect(try FileStatus(of: segment.path)?.size == good.count - length)
      // The log continues where it was cut.
      try folder.open(Int.self).setObject(bytes(5), forKey: 99, expiry: nil)
      rest[99] = bytes(5)
      try expect(rest)
    }
    #expect(folder.damage.all == [], "an unfinished write is no damage")
  }

  /// Damage to the head of a record makes its key unknown.
  @Test(arguments: [true, false])
  func aDamagedRecordIsSetAsideAndTheOthersSurvive(controlIsThere: Bool) throws {
    var stored = try fill()
    let segment = try lastSegment()
    var bad = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(150, seed: 15), in: bad)
    let place = try #require(found)
    bad[place - 1] ^= 1
    try bad.write(to: segment)
    if !controlIsThere { try FileManager.default.removeItem(at: control) }
    stored[15] = nil
    try expect(stored)
    #expect(folder.damage.all == [.malformedFileAttributes])
    #expect(folder.damage.all.first?.place == segment.path)
    #expect(try folder.damagedNames().count == 1)
  }

  @Test func damageThatCannotBeKeptStaysWhereItIs() throws {
    var stored = try fill()
    let segment = try lastSegment()
    var bad = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(150, seed: 15), in: bad)
    bad[try #require(found) - 1] ^= 1
    try bad.write(to: segment)
    let shelf = folder.store.appending(path: EntryName.damaged)
    try text("no folder").write(to: shelf)
    stored[15] = nil
    try expect(stored)
    #expect(try Data(contentsOf: segment) == bad)
    #expect(folder.damage.all.allSatisfy { $0.cause != nil })
    try FileManager.default.removeItem(at: shelf)
    try expect(stored)
    #expect(try folder.damagedNames().count == 1)
    #expect(try Data(contentsOf: segment) != bad)
  }

  /// The key's older value must not come back.
  @Test(arguments: [true, false])
  func aSpoiledValueHidesTheOneBeforeIt(controlIsThere: Bool) throws {
    var stored = try fill()
    try folder.open(Int.self).setObject(bytes(77, seed: 77), forKey: 15, expiry: nil)
    try folder.open(Int.self).setObject(bytes(1), forKey: 30, expiry: nil)
    stored[30] = bytes(1)
    let segment = try lastSegment()
    var bad = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(77, seed: 77), in: bad)
    let place = try #require(found)
    bad[place] ^= 1
    try bad.write(to: segment)
    if !controlIsThere { try FileManager.default.removeItem(at: control) }
    let disk = try folder.open(Int.self)
    #expect(try disk.keys().count == 31)
    let error = failure { try disk.object(forKey: 15) }
    #expect(error == .malformedFileAttributes && error?.key as? Int == 15 && error?.place == segment.path)
    #expect(try disk.entryIfPresent(forKey: 15) == nil)
    stored[15] = nil
    try expect(stored)
    #expect(folder.damage.all == [])
    #expect(try folder.damagedNames().count == 1)
  }

  /// With a table of contents, opening the store does not read the records themselves.
  @Test func damageInAFullSegmentIsMetByTheRead() throws {
    var stored = try fill(3000)
    let segment = try #require(try segments().first)
    var bad = try Data(contentsOf: segment)
    let found = StrataDiskTests.place(of: bytes(1000, seed: 15), in: bad)
    let place = try #require(found)
    bad[place] ^= 1
    try bad.write(to: segment)
    let disk = try folder.open(Int.self)
    let other = try folder.open(Int.self)
    let error = failure { try disk.object(forKey: 15) }
    #expect(error == .malformedFileAttributes)
    #expect(error?.key as? Int == 15)
    #expect(error?.place == segment.path)
    #expect(try disk.entryIfPresent(forKey: 15) == nil)
    #expect(try other.entryIfPresent(forKey: 15) == nil)
    #expect(try folder.damagedNames().count == 1)
    stored[15] = nil
    try expect(stored)
    #expect(folder.damage.all == [])
  }

  @Test(arguments: [8, 30, 200, 5000])
  func aDamagedTableOfContentsIsNotBelieved(_ fromEnd: Int) throws {
    let stored = try fill(3000)
    let segment = try #require(try segments().first)
    var bad = try Data(contentsOf: segment)
    bad[bad.count - fromEnd] ^= 1
    try bad.write(to: segment)
    try expect(stored)
  }

  @Test func aSegmentThatIsNoneIsSetAside() throws {
    let stored = try fill(3000)
    let segments = try segments()
    #expect(segments.count > 3)
    try bytes(5000).write(to: segments[1])
    let disk = try folder.open(Int.self)
    #expect(folder.damage.all == [.malformedFileAttributes])
    #expect(try folder.damagedNames().count == 1)
    let keys = try disk.keys()
    #expect(keys.count < 3000 && keys.count > 2000)
    for key in keys { #expect(try disk.object(forKey: key) == stored[key]) }
  }

  @Test func swappedSegmentsAreNeverReadAsEachOther() throws {
    let stored = try fill(3000)
    let segments = try segments()
    let first = try Data(contentsOf: segments[0])
    try Data(contentsOf: segments[1]).write(to: segments[0])
    try first.write(to: segments[1])
    let disk = try folder.open(Int.self)
    for key in 0..<3000 {
      if let read = try disk.entryIfPresent(forKey: key) { #expect(read.object == stored[key]) }
    }
    #expect(try folder.damagedNames().count == 2)
  }

  /// Only the majority of the segments shows which folder this is.
  @Test func aSegmentOfAnotherFolderDoesNotTakeTheLogOver() throws {
    let stored = try fill(3000)
    let other = try TestFolder(.automatic)
    try other.open(Int.self).setObject(bytes(7), forKey: 7, expiry: nil)
    let foreign = try #require(try other.names().first { EntryName.segmentNumber($0) != nil })
    try FileManager.default.copyItem(
      at: other.store.appending(path: foreign), to: folder.store.appending(path: EntryName.segment(99)))
    try FileManager.default.removeItem(at: control)
    try expect(stored)
    #expect(folder.damage.all == [.malformedFileAttributes])
    #expect(try folder.damagedNames().count == 1)
  }

  /// The leftovers of a killed process are deleted: bytes behind the tail, an unfinished segment, a value without a
  /// record.
  @Test func whatWasLeftUnfinishedIsClearedAway() throws {
    var stored = try fill()
    let disk = try folder.open(Int.self)
    try disk.setObject(bytes(100_000), forKey: 50, expiry: nil)
    stored[50] = bytes(100_000)
    let segment = try lastSegment()
    let good = try Data(contentsOf: segment)
    let unpublished = RecordTests.encoded(key: "1", value: [1, 2, 3], seed: 1)
    try (good + unpublished).write(to: segment)
    try Data(unpublished).write(to: folder.store.appending(path: EntryName.segment(77)))
    try Data(unpublished).write(to: folder.store.appending(path: "Values/" + EntryName.value(77)))
    let file = try ControlFile(in: EntryFolder(path: folder.store.path))
    file.beginChange()
    try disk.setObject(bytes(7), forKey: 51, expiry: nil)
    stored[51] = bytes(7)
    try expect(stored)
    #expect(try folder.names("Values").count == 1)
    #expect(try segments().count == 1)
    #expect(!file.isHalfChanged)
  }

  @Test func anEmptyFolderAgain() throws {
    let disk = try folder.open()
    for key in ["a", "b"] { try disk.setObject(text("v"), forKey: key, expiry: nil) }
    try FileManager.default.removeItem(at: folder.store)
    #expect(try disk.keys() == [])
    try FileManager.default.removeItem(at: folder.store)
    try disk.removeObject(forKey: "a")
    try disk.removeAll()
    try disk.setObject(text("w"), forKey: "c", expiry: nil)
    #expect(try disk.object(forKey: "c") == text("w"))
    #expect(try disk.keys() == ["c"])
    try FileManager.default.removeItem(at: folder.store)
    try disk.setObject(text("x"), forKey: "d", expiry: nil)
    #expect(try folder.open().keys() == ["d"])
  }
}
