import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// Files that users keep in place by a `StoredFile`.
struct HeldFileTests {
  private static let layouts = DiskStreamTests.layouts
  private let old = bytes(2_000_000, seed: 1)

  private static func end(_ end: String, _ disk: DiskStorage<String>) async throws {
    switch end {
    case "written":
      try await disk.write(forKey: "film", from: PartSequence(bytes(1_500_000, seed: 2), by: 1 << 20))
    case "stored": try await disk.setObject(text("short"), forKey: "film")
    case "removed": try await disk.removeObject(forKey: "film")
    default: try await disk.removeAll()
    }
  }

  /// The path stays valid, the entry is gone at once, and the file is deleted once the `StoredFile` is released.
  @Test(arguments: layouts, ["written", "stored", "removed", "cleared"])
  func itStaysUntilItIsReleased(_ layout: DiskLayout, _ end: String) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    try await disk.write(forKey: "film", from: PartSequence(old, by: 1 << 20))
    var file = try await disk.fileURL(forKey: "film")
    var second = try await disk.fileURL(forKey: "film")
    let url = try #require(file?.url)
    // Another store, as another process has it.
    try await Self.end(end, folder.open())
    #expect(try Data(contentsOf: url) == old)
    #expect(try await disk.objectIfPresent(forKey: "film") != old)
    #expect(try await disk.keys() == (end == "written" || end == "stored" ? ["film"] : []))
    #expect(try disk.verify() == [])
    // Neither writes nor openings delete it.
    for i in 0..<3 { try await disk.setObject(text("\(i)"), forKey: "other") }
    _ = try folder.open()
    file = nil
    #expect(try Data(contentsOf: url) == old)
    #expect(second?.url == url)
    second = nil
    await until { !FileManager.default.fileExists(atPath: url.path) }
    #expect(try folder.names(EntryName.values).count == (end == "written" ? 1 : 0))
    #expect(folder.damage.all == [])
  }

  /// If the process that released it is gone, the next one that opens the folder deletes the file.
  @Test(arguments: layouts)
  func theNextOpeningDeletesIt(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let url = try await folder.open().write(old, for: "film")
    let place = EntryFolder(path: folder.store.path)
    // Locked as by a process that neither reads nor writes, and then dies.
    let held = try HeldFile(url.path, identity: FileStatus(of: url.path)?.identity ?? [])
    #expect(held != nil)
    try await folder.open().removeObject(forKey: "film")
    let disk = try folder.open()
    #expect(FileManager.default.fileExists(atPath: url.path))
    #expect(try disk.verify() == [])
    held?.release()
    _ = try folder.open()
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(try place.values.names { _ in true } == [])
  }

  /// The process that could not delete it does so with a later write.
  @Test(arguments: layouts)
  func aLaterWriteDeletesIt(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    let url = try await disk.write(old, for: "film")
    let held = try HeldFile(url.path, identity: FileStatus(of: url.path)?.identity ?? [])
    try await disk.removeObject(forKey: "film")
    try await disk.setObject(text("v"), forKey: "k")
    #expect(FileManager.default.fileExists(atPath: url.path))
    #expect(held != nil)
    held?.release()
    try await disk.setObject(text("w"), forKey: "k")
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  /// The file of a damaged entry is not deleted when it is released: the entry may name it.
  @Test(arguments: layouts)
  func aDamagedEntryKeepsItsFile(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    // A file that is kept although its entry is gone.
    let other = try await disk.write(old, for: "other")
    let held = try HeldFile(other.path, identity: FileStatus(of: other.path)?.identity ?? [])
    try await disk.removeObject(forKey: "other")
    let url = try await disk.write(old, for: "film")
    let digits = url.deletingPathExtension().lastPathComponent.suffix(16)
    let number = try #require(UInt64(digits, radix: 16))
    if layout == .files {
      try text("?").write(to: folder.file(of: "film"))
    } else {
      try folder.damageRecord(naming: number)
    }
    try disk.engine?.reclaim("film".canonicalUTF8, number)
    #expect(try Data(contentsOf: url) == old)
    held?.release()
  }

  /// An entry that is evicted while its file is kept does not count as stored, and the limit holds for the others.
  @Test(arguments: layouts)
  func anEvictedFileStays(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open(maxSize: 10_000_000)
    try await disk.write(forKey: "film", from: PartSequence(old, by: 1 << 20))
    var file = try await disk.fileURL(forKey: "film")
    let url = try #require(file?.url)
    for i in 0..<12 {
      try await disk.write(forKey: "\(i)", from: PartSequence(bytes(2_000_000, seed: i), by: 1 << 20))
    }
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    #expect(try Data(contentsOf: url) == old)
    #expect(disk.totalSize <= 10_000_000)
    #expect(try await disk.keys().count >= 3)
    file = nil
    await until { !FileManager.default.fileExists(atPath: url.path) }
    #expect(disk.totalSize <= 10_000_000)
  }

  /// While values are replaced all the time, each `fileURL` is a file with a whole value.
  @Test(arguments: layouts)
  func replacedAllTheTime(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    try await disk.write(forKey: "film", from: PartSequence(bytes(1_100_000, seed: 0), by: 1 << 20))
    let values = (0..<8).map { bytes(1_100_000, seed: $0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let other = try folder.open()
        for i in 0..<200 {
          try await other.write(forKey: "film", from: PartSequence(values[i % 8], by: 1 << 20))
        }
      }
      group.addTask {
        for _ in 0..<200 {
          let file = try #require(try await disk.fileURL(forKey: "film"))
          let data = try Data(contentsOf: file.url)
          #expect(values.contains(data))
        }
      }
      group.addTask {
        for _ in 0..<200 {
          let data = try await disk.read(forKey: "film").data()
          #expect(values.contains(data))
        }
      }
      try await group.waitForAll()
    }
    await until { (try? folder.names(EntryName.values).count) == 1 }
    #expect(folder.damage.all == [])
    #expect(try disk.verify() == [])
  }
}

extension DiskStorage<String> {
  /// Writes a value as a stream, and returns the URL of its file.
  func write(_ value: Data, for key: String) async throws -> URL {
    try await write(forKey: key, from: PartSequence(value, by: 1 << 20))
    return try #require(try await fileURL(forKey: key)).url
  }
}
