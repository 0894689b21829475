import Foundation
import StrataAlgebra
import TestSupport
import Testing

@testable import StrataCore
@testable import StrataDisk

struct FolderStreamTests {
  private let url = TemporaryFolder().url

  private func open(durability: DiskDurability = .process) -> FolderStorage {
    FolderStorage(url: url.appending(path: "shared"), durability: durability)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.appending(path: "shared").path) }
  }

  @Test(arguments: DiskStreamTests.sizes, [DiskDurability.process, .power])
  func whatIsWrittenIsAPlainFile(_ size: Int, _ durability: DiskDurability) async throws {
    let folder = open(durability: durability)
    let value = bytes(size)
    try await folder.write(forKey: "film.mp4", from: PartSequence(value, by: 300_000))
    let file = try #require(try await folder.fileURL(forKey: "film.mp4"))
    #expect(file.url.lastPathComponent == "film.mp4")
    #expect(try Data(contentsOf: file.url) == value)
    #expect(try await folder.read(forKey: "film.mp4").data() == value)
    #expect(try await folder.read(forKey: "film.mp4", range: size / 3..<size).data() == value[(size / 3)...])
    #expect(try await folder.object(forKey: "film.mp4") == value)
    #expect(try await folder.keys() == ["film.mp4"])
    #expect(folder.traits.keepsParts == true)
  }

  @Test func aReplacementKeepsPermissionsAndOldReaders() async throws {
    let folder = open()
    let file = url.appending(path: "shared/a").path
    try await folder.setObject(bytes(3_000_000, seed: 1), forKey: "a")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    let read = try await folder.read(forKey: "a")
    try await folder.write(forKey: "a", from: PartSequence(bytes(2_000_000, seed: 2), by: 1 << 20))
    #expect(try await read.data() == bytes(3_000_000, seed: 1))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
    try await folder.removeObject(forKey: "a")
    #expect(try await read.data() == bytes(3_000_000, seed: 1))
    await #expect(throws: StorageError.notFound) { try await folder.read(forKey: "a") }
  }

  enum End: CaseIterable { case stored, written, removed, cleared, replacedByOthers }

  /// What ends the value takes effect at once, and the file stays until it is released.
  @Test(arguments: End.allCases)
  func aFileStaysInPlace(_ end: End) async throws {
    let folder = open()
    let value = bytes(3_000_000)
    try await folder.setObject(value, forKey: "film.mp4")
    var file = try await folder.fileURL(forKey: "film.mp4")
    var second = try await folder.fileURL(forKey: "film.mp4")
    let url = try #require(file?.url)
    let other = open()
    switch end {
    case .stored: try await other.setObject(Data([1]), forKey: "film.mp4")
    case .written:
      try await other.write(forKey: "film.mp4", from: PartSequence(bytes(2_000_000), by: 1 << 20))
    case .removed: try await other.removeObject(forKey: "film.mp4")
    case .cleared: try await other.removeAll()
    case .replacedByOthers:
      try Data([1]).write(to: self.url.appending(path: "shared/film.mp4"), options: .atomic)
    }
    #expect(try Data(contentsOf: url) == value)
    #expect(try await folder.objectIfPresent(forKey: "film.mp4") != value)
    #expect(try await folder.keys() == (end == .removed || end == .cleared ? [] : ["film.mp4"]))
    // A store that deletes the leftovers of killed processes.
    try await open().write(forKey: "other", from: PartSequence(bytes(2_000_000), by: 1 << 20))
    file = nil
    await until { !FileManager.default.fileExists(atPath: url.path) }
    #expect(try second.map { try Data(contentsOf: $0.url) } == value)
    second = nil
    await until { (try? names.contains { $0.hasSuffix(".tmp") }) == false }
  }

  /// The hidden folder of a killed process, which nobody has locked.
  @Test func theFolderOfAKilledProcessIsDeleted() async throws {
    let folder = open()
    try await folder.setObject(bytes(10), forKey: "a")
    let left = url.appending(path: "shared/.strata-0123456789abcdef.tmp")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
    try FileManager.default.linkItem(
      at: url.appending(path: "shared/a"), to: left.appending(path: "a"))
    #expect(try await folder.keys() == ["a"])
    let staged = try await folder.stage("b", nil, [])
    try await staged.append(bytes(2_000_000))
    #expect(!FileManager.default.fileExists(atPath: left.path))
    #expect(try await folder.object(forKey: "a") == bytes(10))
    await staged.discard()
  }

  #if os(Linux)
    /// The folder may only be read, so the file is a copy.
    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
    func aFileOfAFolderThatMayOnlyBeRead() async throws {
      let disk = try SmallFileSystem(size: "8m")
      let folder = FolderStorage(url: disk.url)
      try await folder.setObject(bytes(2_000_000), forKey: "film.mp4")
      try disk.setReadOnly(true)
      var file = try await folder.fileURL(forKey: "film.mp4")
      let url = try #require(file?.url)
      #expect(url.lastPathComponent == "film.mp4")
      #expect(try Data(contentsOf: url) == bytes(2_000_000))
      file = nil
      await until { !FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path) }
    }
  #endif

  /// Another program changes the file itself, so its parts do not belong together.
  @Test func aFileThatIsChangedInPlace() async throws {
    let folder = open()
    try await folder.write(forKey: "a", from: PartSequence(bytes(9_000_000), by: 1 << 20))
    var parts = try await folder.read(forKey: "a").makeAsyncIterator()
    #expect(try await parts.next() == bytes(9_000_000).prefix(1 << 20))
    let file = try FileHandle(forUpdating: url.appending(path: "shared/a"))
    try file.truncate(atOffset: 8_000_000)
    await #expect(throws: StorageError.backendFailed) { while try await parts.next() != nil {} }
  }

  @Test func whatIsRefused() async throws {
    let folder = open()
    await #expect(throws: StorageError.invalidConfiguration) {
      try await folder.write(forKey: "a", expiry: .seconds(5), from: PartSequence(bytes(10), by: 5))
    }
    await #expect(throws: StorageError.invalidConfiguration) {
      try await folder.write(forKey: "../a", from: PartSequence(bytes(10), by: 5))
    }
    await #expect(throws: StorageError.invalidConfiguration) { try await folder.read(forKey: "a/b") }
    await #expect(throws: StorageError.notFound) { try await folder.read(forKey: "a") }
    try FileManager.default.createDirectory(
      at: url.appending(path: "shared/sub"), withIntermediateDirectories: true)
    await #expect(throws: StorageError.backendFailed) { try await folder.read(forKey: "sub") }
    await #expect(throws: StorageError.backendFailed) {
      try await folder.write(forKey: "sub", from: PartSequence(bytes(2_000_000), by: 1 << 20))
    }
    #expect(try names == ["sub"])
  }

  /// The temporary files of killed processes are deleted by the next store that writes a stream.
  @Test func leftoversAreDeleted() async throws {
    let folder = open()
    try await folder.setObject(bytes(10), forKey: "a")
    let left = url.appending(path: "shared/.strata-0123456789abcdef.tmp")
    try bytes(10).write(to: left)
    let staged = try await folder.stage("b", nil, [])
    try await staged.append(bytes(2_000_000))
    #expect(!FileManager.default.fileExists(atPath: left.path))
    let other = try await open().stage("b", nil, [])
    try await other.append(bytes(2_000_000, seed: 2))
    try await staged.commit(ifAbsent: false)
    #expect(try await folder.object(forKey: "b") == bytes(2_000_000))
    try await other.commit(ifAbsent: false)
    #expect(try await folder.object(forKey: "b") == bytes(2_000_000, seed: 2))
    #expect(try Set(names) == ["a", "b"])
  }
}
