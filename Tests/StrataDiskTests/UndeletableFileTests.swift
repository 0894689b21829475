import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// The system refuses to delete a value's file that no entry has any more. No call fails because of it.
struct UndeletableFileTests {
  /// Puts a folder in place of a file. Its owner cannot delete it as a file either.
  private func protect(_ file: URL) throws {
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    try text("kept").write(to: file.appending(path: "kept"))
  }

  private func value(_ folder: TestFolder) throws -> URL {
    let name = try #require(try folder.names(EntryName.values).first)
    return folder.store.appending(path: "\(EntryName.values)/\(name)")
  }

  private func fill(_ disk: DiskStorage<String>) async throws {
    try await disk.write(forKey: "film", from: PartSequence(bytes(1_100_000), by: 1 << 20))
    try await disk.setObject(text("1"), forKey: "other")
  }

  @Test(arguments: [DiskLayout.automatic, .files], [true, false])
  func theEntryIsReplacedOrRemoved(_ layout: DiskLayout, _ isRemoval: Bool) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    try await fill(disk)
    let file = try value(folder)
    try protect(file)
    if isRemoval {
      try await disk.removeObject(forKey: "film")
    } else {
      try await disk.setObject(text("new"), forKey: "film")
    }
    #expect(folder.damage.all.map(\.self) == [.backendFailed])
    #expect(folder.damage.all.first?.message.contains("cannot delete a value") == true)
    // Later calls of this store, of an open one and of a new one.
    let other = try folder.open()
    for (number, store) in [disk, other, try folder.open(), disk].enumerated() {
      try await store.setObject(text("\(number)"), forKey: "other")
      #expect(try await store.objectIfPresent(forKey: "film") == (isRemoval ? nil : text("new")))
      #expect(try await store.object(forKey: "other") == text("\(number)"))
    }
    #expect(FileManager.default.fileExists(atPath: file.path))
    // Once it can be deleted, the next opening does so.
    try FileManager.default.removeItem(at: file)
    try text("left").write(to: file)
    #expect(try await folder.open().keys().count == (isRemoval ? 1 : 2))
    #expect(try folder.names(EntryName.values) == [])
    #expect(try folder.open().verify() == [])
  }

  @Test("verify() finds the file, and changes nothing", arguments: [DiskLayout.automatic, .files])
  func verifying(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    try await fill(disk)
    let file = try value(folder)
    try protect(file)
    try await disk.removeObject(forKey: "film")
    // Now it could be deleted.
    try FileManager.default.removeItem(at: file)
    try text("left").write(to: file)
    for _ in 0..<2 {
      let findings = try disk.verify()
      #expect(findings.map(\.kind) == [.orphaned])
      #expect(findings.map(\.path) == [file.path])
      #expect(FileManager.default.fileExists(atPath: file.path))
    }
    try disk.repair()
    #expect(try disk.verify() == [])
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("verify() leaves an unfinished change as it is") func verifyingAnUnfinishedChange() async throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    try await fill(disk)
    try folder.markUnfinished()
    let left = folder.store.appending(path: "\(EntryName.values)/\(EntryName.value(7))")
    try text("left").write(to: left)
    #expect(try disk.verify().map(\.kind) == [.orphaned])
    #expect(FileManager.default.fileExists(atPath: left.path))
    try await disk.setObject(text("2"), forKey: "other")
    #expect(!FileManager.default.fileExists(atPath: left.path))
    #expect(try disk.verify() == [])
  }

  @Test(arguments: [DiskLayout.automatic, .files])
  func allIsRemoved(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    try await fill(disk)
    try protect(value(folder))
    try await disk.removeAll()
    #expect(try await disk.keys() == [])
    #expect(folder.damage.all.map(\.self) == [.backendFailed])
    try await disk.setObject(text("works"), forKey: "k")
    #expect(try await folder.open().keys() == ["k"])
    #expect(disk.totalSize == (try folder.open().totalSize))
  }
}

/// The control file is lost, and the last segment has been cut: nothing shows whether the log was longer.
struct LostEndTests {
  /// Cut between two records, or inside the record that names the file.
  @Test("a value's file is moved to Damaged, and not deleted", arguments: [0, 24])
  func aFileWithoutARecord(_ rest: Int) throws {
    let folder = try TestFolder(.automatic)
    var end = 0
    do {
      let disk = try folder.open()
      try disk.setObject(text("1"), forKey: "k")
      end = try #require(try FileStatus(of: folder.segments()[0].path)).size
      try disk.setObject(bytes(70_000), forKey: "film")
    }
    try File(folder.segments()[0].path, O_RDWR).truncate(to: end + rest)
    try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.control))
    let disk = try folder.open()
    #expect(try disk.keys() == ["k"])
    let kept = try folder.damagedNames().filter { $0.contains(".value") }
    #expect(kept.count == 1)
    #expect(folder.damage.all == [.malformedFileAttributes])
    #expect(folder.damage.all.first?.message.contains("the control file was lost") == true)
    let name = try #require(kept.first)
    #expect(
      try Data(contentsOf: folder.store.appending(path: "Damaged/\(name)")).suffix(70_000) == bytes(70_000))
    // It is reported once, and the store is sound.
    #expect(try folder.open().verify() == [])
    #expect(folder.damage.all.count == 1)
  }
}
