#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataAlgebra
import StrataCore
import Testing

@testable import StrataDisk

/// All entries that AsyncStorages has written are imported.
struct AsyncStoragesFolderTests {
  private static let keys = AsyncStoragesFolder.files.map(\.key)

  private func config(_ folder: TestFolder, maxSize: UInt = 0) -> DiskConfig {
    DiskConfig(
      name: "store", maxSize: maxSize, directory: folder.url, predecessor: .asyncStorages,
      onDamage: { folder.damage.add($0) })
  }

  private func open(_ folder: TestFolder, maxSize: UInt = 0) throws -> DiskStorage<String> {
    try DiskStorage(config: config(folder, maxSize: maxSize))
  }

  /// Returns the old files that are left.
  private func left(in folder: TestFolder) throws -> [String] {
    try folder.names().filter { AsyncStoragesFile.key(of: $0) != nil }
  }

  @Test func eachNameIsThatOfItsKey() {
    for file in AsyncStoragesFolder.files {
      #expect(AsyncStoragesFile.key(of: file.name) == file.key)
    }
  }

  /// Names that AsyncStorages gives to no key.
  @Test(arguments: [
    "", "control", "Values", "Damaged", "a.txt", "YQ", "YQ=", "YR==", "YS+iL2M=", "/w==", "_w==", "gICA",
    "YWJj\n", "=YWJ", "YW==Jj",
    "YW Jj",
  ])
  func otherNamesAreIgnored(_ name: String) { #expect(AsyncStoragesFile.key(of: name) == nil) }

  @Test func eachIsReadByItsKeyAndTakenOver() throws {
    let folder = try TestFolder(.automatic)
    try AsyncStoragesFolder.write(to: folder.store)
    let disk = try open(folder)
    for (number, key) in Self.keys.enumerated() {
      #expect(try disk.objectExists(forKey: key))
      #expect(try disk.object(forKey: key) == text(key), "\(key)")
      #expect(try disk.expiryIfPresent(forKey: key) == .never)
      #expect(try left(in: folder).count == Self.keys.count - number - 1)
    }
    #expect(try disk.objectIfPresent(forKey: "another") == nil)
    // The imported entries are kept without the predecessor's files.
    for key in Self.keys { #expect(try folder.open().object(forKey: key) == text(key)) }
    #expect(try disk.verify() == [])
  }

  @Test func keysAndSizeIncludeThemAtOnce() throws {
    let folder = try TestFolder(.automatic)
    try AsyncStoragesFolder.write(to: folder.store)
    #expect(try Set(open(folder).keys()) == Set(Self.keys))
    #expect(try left(in: folder) == [])
    #expect(try open(folder).allObjects().count == Self.keys.count)

    let sized = try TestFolder(.automatic)
    try AsyncStoragesFolder.write(to: sized.store) { _ in Data(count: 10_000) }
    #expect(try open(sized).totalSize > Self.keys.count * 10_000)
  }

  @Test func theLimitHoldsForThemToo() throws {
    let folder = try TestFolder(.automatic)
    try AsyncStoragesFolder.write(to: folder.store) { _ in Data(count: 20_000) }
    let disk = try open(folder, maxSize: 200_000)
    try disk.setObject(text("new"), forKey: "new")
    #expect(disk.totalSize <= 200_000)
    #expect(try disk.object(forKey: "new") == text("new"))
    #expect(try left(in: folder) == [])
  }

  @Test func largeValuesBecomeFilesOfTheirOwn() throws {
    let folder = try TestFolder(.automatic)
    try AsyncStoragesFolder.write(to: folder.store) { $0 == "kharkiv" ? bytes(100_000) : text($0) }
    let disk = try open(folder)
    let entry = try disk.entry(forKey: "kharkiv")
    #expect(entry.object == bytes(100_000))
    #expect(try disk.entry(forKey: "kharkiv").filePath?.hasSuffix(".value") == true)
  }

  @Test func writtenOrRemovedKeysAreNotImported() throws {
    let folder = try TestFolder(.automatic)
    try AsyncStoragesFolder.write(to: folder.store)
    let disk = try open(folder)
    try disk.setObject(text("new"), forKey: "kharkiv")
    try disk.removeObject(forKey: "abc")
    #expect(try disk.update(forKey: "ab") { $0.append(contentsOf: text("!")) } == text("ab!"))
    #expect(try disk.setIfAbsent(text("no"), forKey: "a", expiry: nil) == false)
    for disk in [disk, try open(folder)] {
      #expect(try disk.object(forKey: "kharkiv") == text("new"))
      #expect(try disk.objectIfPresent(forKey: "abc") == nil)
      #expect(try disk.object(forKey: "ab") == text("ab!"))
      #expect(try disk.object(forKey: "a") == text("a"))
    }
    try disk.removeAll()
    #expect(try open(folder).keys() == [])
    #expect(try left(in: folder) == [])
  }

  /// AsyncStorages writes two files for equal strings with different bytes. The newer file's value is imported.
  @Test func equalKeysOfTwoFiles() throws {
    let folder = try TestFolder(.automatic)
    try FileManager.default.createDirectory(at: folder.store, withIntermediateDirectories: true)
    for (name, value, time) in [("w6k=", "composed", 2_000.0), ("ZcyB", "decomposed", 1_000.0)] {
      let url = folder.store.appending(path: name)
      try text(value).write(to: url)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: url.path)
    }
    let disk = try open(folder)
    #expect(try disk.object(forKey: "e\u{301}") == text("composed"))
    #expect(try disk.keys() == ["é"])
    #expect(try left(in: folder) == [])
  }

  /// Files that AsyncStorages has not written are not changed.
  @Test func othersStay() throws {
    let folder = try TestFolder(.automatic)
    try AsyncStoragesFolder.write(to: folder.store)
    try FileManager.default.createDirectory(
      at: folder.store.appending(path: "Zm9sZGVy"), withIntermediateDirectories: true)
    try text("notes").write(to: folder.store.appending(path: "notes.txt"))
    let disk = try open(folder)
    #expect(try disk.objectIfPresent(forKey: "folder") == nil)
    #expect(try Set(disk.keys()) == Set(Self.keys))
    try disk.removeObject(forKey: "folder")
    try disk.removeAll()
    #expect(try Set(folder.names()).isSuperset(of: ["Zm9sZGVy", "notes.txt"]))
    #expect(folder.damage.all == [])
  }

  @Test func theLayoutOfFilesRefusesAPredecessor() throws {
    let folder = try TestFolder(.files)
    for predecessor in [DiskPredecessor.asyncStorages, .hyperosloCache] {
      let config = DiskConfig(
        name: "store", directory: folder.url, layout: .files, predecessor: predecessor)
      let refused = failure { try DiskStorage<String>(config: config) }
      #expect(refused == .invalidConfiguration)
      #expect(refused?.message.contains("predecessor") == true)
    }
  }

  /// Opens the folder with AsyncStorages' own function and name.
  @Test(arguments: ["", "/deeper/still"])
  func byItsOwnFunction(_ deeper: String) throws {
    let name = "StrataDiskTests-\(UUID().uuidString)"
    let caches = try #require(
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
    defer {
      #expect(throws: Never.self) { try FileManager.default.removeItem(at: caches.appending(path: name)) }
    }
    try AsyncStoragesFolder.write(to: caches.appending(path: name + deeper))
    let disk = DiskStorage.folder(name + deeper, in: .cachesDirectory).usingStringKeys()
    #expect(try disk.mapString().retrieve(forKey: "kharkiv") == "kharkiv")
    #expect(try Set(disk.keys()) == Set(Self.keys))
    // `predecessor: nil` turns the import off.
    try text("b").write(to: caches.appending(path: name + deeper).appending(path: "Yg=="))
    #expect(
      try DiskStorage.folder(name + deeper, in: .cachesDirectory, predecessor: nil).objectIfPresent(
        forKey: "b") == nil)
    #expect(try DiskStorage.folder(name + deeper, in: .cachesDirectory).object(forKey: "b") == text("b"))
  }
}
