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

/// Opening a log whose control file is missing or wrong, or in which a process has left an unfinished write.
struct LogRecoveryTests {
  let log: DamagedLog

  init() throws { log = try DamagedLog() }

  @Test(arguments: [30, 3000], ["gone", "empty", "short", "long", "random", "folder", "link", "fifo"])
  func theControlFileIsMadeAnew(_ count: Int, _ fault: String) throws {
    let stored = try log.fill(count)
    switch fault {
    case "empty": try Data().write(to: log.control)
    case "short": try Data(contentsOf: log.control).prefix(100).write(to: log.control)
    case "long": try (Data(contentsOf: log.control) + bytes(100)).write(to: log.control)
    case "random": try bytes(4096).write(to: log.control)
    default:
      try FileManager.default.removeItem(at: log.control)
      if fault == "folder" {
        try FileManager.default.createDirectory(at: log.control, withIntermediateDirectories: false)
      }
      if fault == "link" { try call("symlink", symlink("/nowhere", log.control.path)) }
      if fault == "fifo" { try call("mkfifo", mkfifo(log.control.path, 0o600)) }
    }
    try log.expect(stored)
    #expect(log.folder.damage.all == [])
  }

  @Test func everyFlippedBitOfTheControlFileIsSeen() throws {
    let stored = try log.fill()
    let good = try Data(contentsOf: log.control)
    // Steps of 5 bits cover every byte, and over time each bit of a byte.
    for bit in stride(from: 0, to: 112 * 8, by: 5) {
      var bad = good
      bad[bit / 8] ^= 1 << (bit % 8)
      try bad.write(to: log.control)
      let disk = try log.folder.open(Int.self)
      #expect(try disk.object(forKey: 29) == stored[29], "bit \(bit)")
      #expect(try disk.keys().count == 30, "bit \(bit)")
    }
    #expect(log.folder.damage.all == [])
  }

  /// Another program has changed the shared page while it was in use. The next write rebuilds the page.
  @Test(arguments: [24, 72, 80, 96, 104]) func aByteOfThePageIsChangedInUse(_ offset: Int) throws {
    let disk = try log.folder.open(Int.self)
    for key in 0..<3 { try disk.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    let file = try File(log.control.path, O_RDWR)
    try file.write([file.bytes(1, at: offset)[0] ^ 1], at: offset)
    try disk.setObject(bytes(100, seed: 3), forKey: 3, expiry: nil)
    try log.expect(Dictionary(uniqueKeysWithValues: (0..<4).map { ($0, bytes(100, seed: $0)) }))
    #expect(try disk.verify() == [])
  }

  /// A copy of the folder, made while the store was in use: the control file is older or newer than the segments.
  @Test func aCopyIsOpenedByItsSegments() throws {
    let disk = try log.folder.open(Int.self)
    try disk.setObject(bytes(100), forKey: 1, expiry: nil)
    let older = try Data(contentsOf: log.control)
    try disk.setObject(bytes(200), forKey: 2, expiry: nil)
    try older.write(to: log.control, options: .atomic)
    try log.expect([1: bytes(100), 2: bytes(200)])
    // The first store notices that the folder has another control file.
    try disk.setObject(bytes(300), forKey: 3, expiry: nil)
    try log.expect([1: bytes(100), 2: bytes(200), 3: bytes(300)])
  }

  /// The power failed during the write of the last record: any part of the record may be on the disk.
  @Test func aTornTailIsCut() throws {
    let stored = try log.fill()
    let segment = try log.lastSegment()
    let good = try Data(contentsOf: segment)
    let length = Record.length(Record.headerSize + 2 + 290)
    for count in stride(from: good.count - length, to: good.count, by: 7) {
      try good.prefix(count).write(to: segment)
      try FileManager.default.removeItem(at: log.control)
      var rest = stored
      rest[29] = nil
      try log.expect(rest)
      #expect(try FileStatus(of: segment.path)?.size == good.count - length)
      // The log continues where it was cut.
      try log.folder.open(Int.self).setObject(bytes(5), forKey: 99, expiry: nil)
      rest[99] = bytes(5)
      try log.expect(rest)
    }
    #expect(log.folder.damage.all == [], "an unfinished write is no damage")
  }

  /// The leftovers of a killed process are deleted: bytes after the end of the log, an unfinished segment, a value file
  /// without a record.
  @Test func unfinishedFilesAreDeleted() throws {
    var stored = try log.fill()
    let disk = try log.folder.open(Int.self)
    try disk.setObject(bytes(100_000), forKey: 50, expiry: nil)
    stored[50] = bytes(100_000)
    let segment = try log.lastSegment()
    let good = try Data(contentsOf: segment)
    let unpublished = RecordTests.encoded(key: "1", value: [1, 2, 3], seed: 1)
    try (good + unpublished).write(to: segment)
    try Data(unpublished).write(to: log.folder.store.appending(path: EntryName.segment(77)))
    try Data(unpublished).write(to: log.folder.store.appending(path: "Values/" + EntryName.value(77)))
    let file = try ControlFile(in: EntryFolder(path: log.folder.store.path))
    file.beginChange()
    try disk.setObject(bytes(7), forKey: 51, expiry: nil)
    stored[51] = bytes(7)
    try log.expect(stored)
    #expect(try log.folder.names("Values").count == 1)
    #expect(try log.folder.segments().count == 1)
    #expect(!file.isHalfChanged)
  }

  @Test func anEmptyFolderAgain() throws {
    let disk = try log.folder.open()
    for key in ["a", "b"] { try disk.setObject(text("v"), forKey: key, expiry: nil) }
    try FileManager.default.removeItem(at: log.folder.store)
    #expect(try disk.keys() == [])
    try FileManager.default.removeItem(at: log.folder.store)
    try disk.removeObject(forKey: "a")
    try disk.removeAll()
    try disk.setObject(text("w"), forKey: "c", expiry: nil)
    #expect(try disk.object(forKey: "c") == text("w"))
    #expect(try disk.keys() == ["c"])
    try FileManager.default.removeItem(at: log.folder.store)
    try disk.setObject(text("x"), forKey: "d", expiry: nil)
    #expect(try log.folder.open().keys() == ["d"])
  }
}
