import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

struct StreamDamageTests {
  static let layouts = DiskStreamTests.layouts

  /// Parts before the damage are returned and right; the damaged one throws, is set aside, and later reads find
  /// nothing.
  @Test(arguments: layouts, [0, 3_000_001, 5_999_999])
  func aFlippedBit(_ layout: DiskLayout, _ place: Int) async throws {
    let folder = try TestFolder(layout)
    let value = bytes(6_000_000)
    let url = try await folder.open().write(value, for: "film")
    let file = try FileHandle(forUpdating: url)
    try file.seek(toOffset: UInt64(place))
    try file.write(contentsOf: [value[place] ^ 1])
    try file.close()
    let disk = try folder.open()
    #expect(try disk.verify().map(\.kind) == [.damaged])
    let part = place >> 20
    // Ranges that do not touch the part.
    if part > 0 {
      #expect(try await disk.read(forKey: "film", range: 5..<part << 20).data() == value[5..<part << 20])
    }
    var parts = try await disk.read(forKey: "film").makeAsyncIterator()
    for i in 0..<part { #expect(try await parts.next() == value[i << 20..<(i + 1) << 20]) }
    do {
      _ = try await parts.next()
      Issue.record("the damaged part was returned")
    } catch let error as StorageError {
      #expect(error == .malformedFileAttributes)
      #expect(error.place == url.path)
      #expect(error.key as? String == "film")
    }
    #expect(try await parts.next() == nil)
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    #expect(try folder.names(EntryName.values) == [])
    #expect(try folder.damagedNames().contains { $0.hasPrefix(url.lastPathComponent) })
    #expect(try disk.verify() == [])
    #expect(folder.damage.all == [])
  }

  /// The record is damaged that names the file: the value, which may be sound, is moved to `Damaged` too.
  @Test(arguments: [true, false], [true, false])
  func aDamagedRecord(_ isStream: Bool, _ isUnfinished: Bool) async throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    if isStream {
      try await disk.write(forKey: "film", from: PartSequence(bytes(2_000_000), by: 1 << 20))
    } else {
      try await disk.setObject(bytes(2_000_000), forKey: "film")
    }
    let name = try #require(try folder.names(EntryName.values).first)
    let number = try #require(UInt64(name.prefix(16), radix: 16))
    try folder.damageRecord(naming: number)
    if isUnfinished {
      // A process has died during a change: the next one looks which files records name.
      try folder.markUnfinished()
      try await disk.setObject(text("u"), forKey: "k")
    }
    await #expect(throws: StorageError.malformedFileAttributes) { try await disk.object(forKey: "film") }
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    try await disk.setObject(text("v"), forKey: "k")
    #expect(try folder.names(EntryName.values) == [])
    #expect(try folder.damagedNames().contains { $0.hasPrefix(name) })
    #expect(try disk.totalSize == folder.logBytes())
    #expect(try disk.verify() == [])
  }

  @Test(arguments: layouts)
  func theWholeValueOfADamagedFile(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    for cut in [0, 1_000_000, 2_999_999] {
      let url = try await folder.open().write(bytes(3_000_000), for: "film")
      let file = try FileHandle(forUpdating: url)
      try file.truncate(atOffset: UInt64(cut))
      let disk = try folder.open()
      do {
        _ = cut == 0 ? try await disk.object(forKey: "film") : try await disk.read(forKey: "film").data()
        Issue.record("the value was returned")
      } catch let error as StorageError {
        #expect(error == .malformedFileAttributes)
        #expect(error.message.contains("\(cut) bytes long"))
      }
      #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    }
    let url = try await folder.open().write(bytes(3_000_000), for: "film")
    try FileManager.default.removeItem(at: url)
    let disk = try folder.open()
    await #expect(throws: StorageError.malformedFileAttributes) { try await disk.read(forKey: "film") }
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    #expect(try disk.verify() == [])
  }

  /// Two values of equal length, whose files another program has swapped.
  @Test(arguments: layouts)
  func swappedFiles(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    let first = try await disk.write(bytes(2_000_000, seed: 1), for: "a")
    let second = try await disk.write(bytes(2_000_000, seed: 2), for: "b")
    let spare = folder.url.appending(path: "spare")
    try FileManager.default.moveItem(at: first, to: spare)
    try FileManager.default.moveItem(at: second, to: first)
    try FileManager.default.moveItem(at: spare, to: second)
    for key in ["a", "b"] {
      await #expect(throws: StorageError.malformedFileAttributes) { try await disk.read(forKey: key).data() }
    }
  }

  @Test(arguments: layouts)
  func repairSetsItAside(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    let url = try await disk.write(bytes(2_000_000), for: "film")
    try Data(count: 2_000_000).write(to: url)
    #expect(try disk.repair().map(\.kind) == [.damaged])
    #expect(try disk.verify() == [])
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
  }

  /// A file that a user keeps in place keeps its path, although it is damaged.
  @Test(arguments: layouts)
  func aDamagedFileThatIsKept(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    try await disk.write(forKey: "film", from: PartSequence(bytes(2_000_000), by: 1 << 20))
    var file = try await disk.fileURL(forKey: "film")
    let url = try #require(file?.url)
    let writer = try FileHandle(forUpdating: url)
    try writer.write(contentsOf: Data(count: 8))
    await #expect(throws: StorageError.malformedFileAttributes) { try await disk.object(forKey: "film") }
    #expect(FileManager.default.fileExists(atPath: url.path))
    #expect(try folder.damagedNames().contains { $0.hasPrefix(url.lastPathComponent) })
    file = nil
    await until { !FileManager.default.fileExists(atPath: url.path) }
  }
}
