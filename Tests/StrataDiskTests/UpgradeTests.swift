#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

struct UpgradeTests {
  /// Vectors from RFC 1321.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func md5(_ text: String, _ hash: String) {
    #expect(EntryName.hex(MD5.hash(Array(text.utf8))) == hash)
  }

  private func folders() throws -> (old: TestFolder, new: TestFolder) {
    let old = try TestFolder(.files)
    return (old, TestFolder(.automatic, over: old))
  }

  @Test(arguments: [0, 10_000_000] as [UInt])
  func filesAreTakenOver(_ maxSize: UInt) throws {
    let (old, new) = try folders()
    let before = try old.open()
    let values = ["a": text("1"), "b": bytes(5000), "large": bytes(100_000), "expired": text("x")]
    for (key, value) in values {
      try before.setObject(value, forKey: key, expiry: key == "expired" ? .date(.distantPast) : .never)
    }
    let disk = try new.open(maxSize: maxSize)
    #expect(try disk.object(forKey: "a") == text("1"))
    #expect(try disk.objectIfPresent(forKey: "expired") == nil)
    #expect(try disk.entryIfPresent(forKey: "expired")?.object == text("x"))
    try disk.setObject(text("new"), forKey: "b", expiry: nil)
    #expect(try Set(disk.keys()) == ["a", "b", "large"])
    #expect(try new.names().filter(EntryName.isEntry).isEmpty)
    #expect(try disk.totalSize == new.logBytes())
    let again = try new.open()
    #expect(try again.object(forKey: "a") == text("1"))
    #expect(try again.object(forKey: "b") == text("new"))
    #expect(try again.object(forKey: "large") == bytes(100_000))
    #expect(try again.verify() == [])
    #expect(failure { try old.open() } == .invalidConfiguration)
  }

  @Test func whatIsRemovedStaysAway() throws {
    let (old, new) = try folders()
    let before = try old.open()
    for key in ["a", "b", "c"] { try before.setObject(text(key), forKey: key, expiry: nil) }
    let disk = try new.open()
    try disk.removeObject(forKey: "a")
    _ = try disk.object(forKey: "b")
    try disk.removeObject(forKey: "b")
    for disk in [disk, try new.open()] {
      #expect(try disk.keys() == ["c"])
      #expect(try disk.entryIfPresent(forKey: "a") == nil)
    }
    try disk.removeAll()
    #expect(try new.open().keys() == [])
  }

  @Test func damagedFilesAreSetAside() throws {
    let (old, new) = try folders()
    let before = try old.open()
    for key in ["a", "b", "c"] { try before.setObject(text(key), forKey: key, expiry: nil) }
    for key in ["a", "b"] { try text("?").write(to: old.file(of: key)) }
    let disk = try new.open()
    #expect(failure { try disk.object(forKey: "a") } == .malformedFileAttributes)
    #expect(try disk.entryIfPresent(forKey: "a") == nil)
    #expect(try disk.keys() == ["c"])
    #expect(new.damage.all == [.malformedFileAttributes])
    #expect(try new.damagedNames().count == 2)
  }

  @Test func aFolderOfCache() throws {
    let folder = try TestFolder(.automatic)
    try FileManager.default.createDirectory(at: folder.store, withIntermediateDirectories: true)
    // The MD5 of "user", and of "https://example.com/a.png" with its extension.
    let names = ["user": "ee11cbb19052e40b07aac0ca060c23ee"]
    let picture = "https://example.com/a.png"
    let pictureName = EntryName.hex(MD5.hash(Array(picture.utf8))) + ".png"
    let date = Date(timeIntervalSince1970: 2_000_000_000)
    try text("{}").write(to: folder.store.appending(path: names["user"] ?? ""))
    try bytes(100_000).write(to: folder.store.appending(path: pictureName))
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: folder.store.appending(path: pictureName).path)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 68 * 365 * 86_400)],
      ofItemAtPath: folder.store.appending(path: names["user"] ?? "").path)

    #expect(try folder.open().entryIfPresent(forKey: "user") == nil)
    let config = DiskConfig(name: "store", directory: folder.url, predecessor: .hyperosloCache)
    let disk = try DiskStorage<String>(config: config)
    #expect(try disk.entryIfPresent(forKey: "nothing") == nil)
    #expect(try disk.keys() == [])
    #expect(try disk.entry(forKey: "user").object == text("{}"))
    #expect(try disk.expiryIfPresent(forKey: "user") == .never)
    #expect(try disk.entry(forKey: picture).object == bytes(100_000))
    #expect(try disk.expiryIfPresent(forKey: picture) == .date(date))
    #expect(try Set(disk.keys()) == ["user", picture])
    #expect(try Set(folder.names()) == ["control", EntryName.segment(1), "Values"])
    #expect(try Set(folder.open().keys()) == ["user", picture])
  }
}
