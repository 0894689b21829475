import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// The formats of values that were written as streams, and of folders in which they appear.
struct StreamFormatTests {
  @Test(arguments: [1, 4095, 4096, 1 << 20, 1 << 20 + 1, 5 << 20])
  func aTableIsReadAsWritten(_ length: Int) throws {
    let sums = (0..<(length + PartTable.partLength - 1) / PartTable.partLength).map {
      UInt64($0) &* 0x9E37_79B9
    }
    let table = PartTable(number: 0x0123_4567_89AB_CDEF, length: length, sums: sums)
    let bytes = table.bytes
    #expect(bytes.count == PartTable.size(of: length))
    #expect(bytes.withUnsafeBytes { PartTable($0) } == table)
    for count in [0, 8, 23, bytes.count - 1] where count < bytes.count {
      #expect(bytes.prefix(count).withUnsafeBytes { PartTable($0) } == nil)
    }
    #expect((bytes + [0]).withUnsafeBytes { PartTable($0) } == nil)
    for (offset, value) in [(15, 0xFF), (16, 0x01), (23, 0x80)] as [(Int, UInt8)] {
      var bad = bytes
      bad[offset] ^= value
      #expect(bad.withUnsafeBytes { PartTable($0) } != table)
    }
  }

  /// A log as it is on disk: the bytes of version 2 do not change.
  @Test func aLogOfVersion2() async throws {
    let folder = try TestFolder(.automatic)
    let values = folder.store.appending(path: EntryName.values)
    try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
    let segment = try #require(Data(base64Encoded: Self.segment))
    try segment.write(to: folder.store.appending(path: "0000000000000001.log"))
    try bytes(100_000, seed: 5).write(to: values.appending(path: "0123456789abcdef.bytes"))
    let disk = try folder.open()
    #expect(try await disk.keys() == ["film"])
    let read = try await disk.read(forKey: "film")
    #expect(try await read.data() == bytes(100_000, seed: 5))
    #expect(read.expiry == .date(Date(timeIntervalSinceReferenceDate: 4_000_000_000)))
    #expect(read.version == "0123456789abcdef")
    #expect(try disk.verify() == [])
    #expect(folder.damage.all == [])
  }

  private static let segment =
    "iVN0ckxvZwoCAAAAxUx7jAEAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAMAAAAAAAAAJ5Hb8E36ITQAPtPhMVurYh"
    + "RcMcXVUgGGBAAAACAAAAAAAAAAAAAAAGXN7UFmaWxt782riWdFIwGghgEAAAAAAAAAEAAAAAAAk7VSozXmjk0="

  /// A folder of the layout `.files`, opened with another one: the values are imported without being read.
  @Test(arguments: [DiskLayout.automatic, .packed], [0, 50_000_000] as [UInt])
  func anotherLayoutFollows(_ layout: DiskLayout, _ limit: UInt) async throws {
    let files = try TestFolder(.files)
    let clock = ManualClock()
    let old = try files.open(clock: clock.clock)
    for i in 0..<4 {
      try await old.write(
        forKey: "\(i)", expiry: i == 3 ? .seconds(50) : nil,
        from: PartSequence(bytes(2_000_000, seed: i), by: 1 << 20))
    }
    let folder = TestFolder(layout, over: files)
    let disk = try folder.open(maxSize: limit, clock: clock.clock)
    #expect(try await disk.read(forKey: "0", range: 5..<9).data() == bytes(2_000_000)[5..<9])
    #expect(try await disk.object(forKey: "1") == bytes(2_000_000, seed: 1))
    try await disk.removeObject(forKey: "2")
    #expect(try await Set(disk.keys()) == ["0", "1", "3"])
    clock.advance(by: 51)
    #expect(try await Set(disk.keys()) == ["0", "1"])
    try await disk.removeExpiredObjects()
    #expect(try disk.verify() == [])
    for disk in [disk, try folder.open(maxSize: limit)] {
      for i in 0..<2 { #expect(try await disk.read(forKey: "\(i)").data() == bytes(2_000_000, seed: i)) }
    }
    #expect(try folder.names().filter(EntryName.isEntry) == [])
    #expect(try folder.names(EntryName.values).count == 2)
    try await disk.removeAll()
    #expect(try folder.names(EntryName.values) == [])
  }

  /// A process was killed while it deleted an entry of the layout `.files`, which it had imported or removed: the value
  /// is still there, and its head is not.
  @Test func aValueOfAnotherLayoutWithoutItsHead() async throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    try await disk.setObject(text("v"), forKey: "k")
    let values = folder.store.appending(path: EntryName.values)
    try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
    let name = EntryName.plainValue(7, of: EntryName.of("film".canonicalUTF8))
    try bytes(100_000).write(to: values.appending(path: name))
    #expect(try disk.verify().map(\.kind) == [.orphaned])
    try folder.markUnfinished()
    try await disk.setObject(text("w"), forKey: "k")
    #expect(try folder.names(EntryName.values) == [])
    #expect(try disk.verify() == [])
    #expect(folder.damage.all == [])
  }

  /// A copy of a folder, as `cp -a` makes it, has the same values.
  @Test(arguments: DiskStreamTests.layouts)
  func aCopiedFolder(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    _ = try await folder.open().write(bytes(2_000_000), for: "film")
    try folder.copyStore()
    let disk = try folder.open()
    #expect(try await disk.read(forKey: "film").data() == bytes(2_000_000))
    #expect(try disk.verify() == [])
  }

  /// A lost control file is rebuilt from the log, which names the files.
  @Test func aLostControlFile() async throws {
    let folder = try TestFolder(.automatic)
    _ = try await folder.open().write(bytes(2_000_000), for: "film")
    try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.control))
    let disk = try folder.open()
    #expect(try await disk.read(forKey: "film").data() == bytes(2_000_000))
    #expect(try disk.totalSize == folder.logBytes())
    #expect(folder.damage.all == [])
  }

  @Test(arguments: DiskStreamTests.layouts)
  func aStoreThatOnlyReads(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    _ = try await folder.open().write(bytes(2_000_000), for: "film")
    var config = DiskConfig(name: "store", directory: folder.url, layout: layout)
    config.isReadOnly = true
    let disk = try DiskStorage<String>(config: config)
    #expect(try await disk.read(forKey: "film").data() == bytes(2_000_000))
    var file = try await disk.fileURL(forKey: "film")
    #expect(try Data(contentsOf: #require(file?.url)) == bytes(2_000_000))
    file = nil
    await #expect(throws: StorageError.readOnly) { try await disk.stage("film", nil, []) }
  }
}
