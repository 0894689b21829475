import Foundation
import StrataAlgebra
import StrataCore
import StrataTestKit
import Testing
import TestSupport

@testable import StrataDisk

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct FolderStorageTests {
  private let url = TemporaryFolder().url

  private func open(creatingDirectories: Bool = true, _ folder: String = "shared") -> FolderStorage {
    FolderStorage(url: url.appending(path: folder), creatingDirectories: creatingDirectories)
  }

  private func file(_ name: String) -> URL { url.appending(path: "shared/\(name)") }

  /// The promises that require neither expiry nor keys other than file names.
  static let promised: [Contract] = [
    .reading, .removing, .anyValue, .hugeValue, .parallelKeys, .linearizability, .cancellation,
    .severalHandles, .severalProcesses, .survivingKill, .fullDisk, .readOnlyFolder,
  ]

  @Test(arguments: promised)
  func keeps(_ promise: Contract) async throws {
    try await promise.check(
      Subject("folder", except: [.atomicBatches]) { FolderStorage(url: $0.url.appending(path: "plain")) })
  }

  @Test func anEntryIsAPlainFile() throws {
    let folder = open()
    try folder.setObject(text("Buy milk"), forKey: "milk.txt")
    #expect(try Data(contentsOf: file("milk.txt")) == text("Buy milk"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: url.appending(path: "shared").path) == ["milk.txt"])
    let entry = try folder.entry(forKey: "milk.txt")
    #expect(entry.filePath == file("milk.txt").path)
    #expect(entry.expiry == .never)
  }

  @Test func updatesAreNotLost() throws {
    let folder = open()
    #expect(failure { try folder.update(forKey: "count") { $0 = Data() } } == .notFound)
    try folder.setObject(Data([0]), forKey: "count")
    DispatchQueue.concurrentPerform(iterations: 50) { _ in
      #expect(throws: Never.self) { try folder.update(forKey: "count") { $0[0] += 1 } }
    }
    #expect(try folder.object(forKey: "count") == Data([50]))
    let inside = failure {
      try folder.update(forKey: "count") { _ in try folder.setObject(Data(), forKey: "count") }
    }
    #expect(inside == .deadlock)
  }

  @Test func batchesAndReopening() throws {
    try open().setObjects(["a": text("1"), "b": text("2"), "c": text("3")], expiry: nil)
    let folder = open()
    #expect(
      try folder.entries(forKeys: ["a", "b", "x"]).mapValues(\.object) == ["a": text("1"), "b": text("2")])
    try folder.removeObjects(forKeys: ["a", "x"])
    #expect(try Set(folder.keys()) == ["b", "c"])
    #expect(try folder.objectExists(forKey: "b"))
    #expect(try !folder.objectExists(forKey: "a"))
    try folder.removeAll()
    #expect(try open().keys().isEmpty)
  }

  @Test func whatAnotherProgramWritesIsRead() throws {
    let folder = open()
    try folder.setObject(text("old"), forKey: "a")
    try text("new").write(to: file("a"))
    try text("other").write(to: file(".hidden"))
    #expect(try folder.object(forKey: "a") == text("new"))
    #expect(try Set(folder.keys()) == ["a", ".hidden"])
    try FileManager.default.removeItem(at: file("a"))
    #expect(try folder.objectIfPresent(forKey: "a") == nil)
  }

  @Test(arguments: [
    "", ".", "..", "../secret", "/etc/passwd", "a/b", "a\0b", String(repeating: "x", count: 256),
    String(repeating: "ü", count: 128), ".strata-0123456789abcdef.tmp",
  ])
  func noNameLeadsOut(_ name: String) throws {
    let folder = open()
    try text("secret").write(to: url.appending(path: "secret"))
    for operation in [
      { try folder.setObject(text("x"), forKey: name) }, { _ = try folder.objectIfPresent(forKey: name) },
      { try folder.removeObject(forKey: name) }, { _ = try folder.objectExists(forKey: name) },
      { try folder.update(forKey: name) { _ in } },
    ] as [() throws -> Void] {
      let error = try #require(failure(operation))
      #expect(error == .invalidConfiguration)
      #expect(error.key as? String == name)
    }
    #expect(try Data(contentsOf: url.appending(path: "secret")) == text("secret"))
  }

  @Test(arguments: [Expiry.seconds(60), .seconds(-1), .date(.distantFuture)])
  func anExpiryIsRefused(_ expiry: Expiry) throws {
    let folder = open()
    try folder.setObject(text("kept"), forKey: "a", expiry: .never)
    #expect(
      failure { try folder.setObject(text("lost"), forKey: "a", expiry: expiry) } == .invalidConfiguration)
    #expect(try folder.object(forKey: "a") == text("kept"))
  }

  @Test func aFolderThatMayNotBeMade() throws {
    let folder = open(creatingDirectories: false)
    let operations: [() throws -> Void] = [
      { try folder.setObject(text("x"), forKey: "a") }, { _ = try folder.objectIfPresent(forKey: "a") },
      { _ = try folder.objectExists(forKey: "a") }, { try folder.removeObject(forKey: "a") },
      { _ = try folder.keys() }, { try folder.removeAll() },
    ]
    for operation in operations {
      let error = try #require(failure(operation))
      #expect(error == .backendFailed)
      #expect(error.message.contains("creatingDirectories"))
    }
    #expect(!FileManager.default.fileExists(atPath: url.appending(path: "shared").path))
    try FileManager.default.createDirectory(
      at: url.appending(path: "shared"), withIntermediateDirectories: false)
    try folder.setObject(text("x"), forKey: "a")
    #expect(try folder.keys() == ["a"])
  }

  @Test func foldersAndSymlinksAreNotTouched() throws {
    let folder = open()
    try folder.setObject(text("x"), forKey: "a")
    try text("secret").write(to: url.appending(path: "secret"))
    try FileManager.default.createSymbolicLink(
      at: file("link"), withDestinationURL: url.appending(path: "secret"))
    try FileManager.default.createDirectory(at: file("sub"), withIntermediateDirectories: false)
    for name in ["link", "sub"] {
      #expect(failure { try folder.object(forKey: name) } == .backendFailed)
      #expect(failure { try folder.setObject(text("y"), forKey: name) } == .backendFailed)
      #expect(failure { try folder.removeObject(forKey: name) } == .backendFailed)
    }
    #expect(try folder.keys() == ["a"])
    try folder.removeAll()
    let left = try FileManager.default.contentsOfDirectory(atPath: url.appending(path: "shared").path)
    #expect(left.sorted() == ["link", "sub"])
    #expect(try Data(contentsOf: url.appending(path: "secret")) == text("secret"))
  }

  @Test func permissionsAreHandedOn() throws {
    let folder = open()
    try folder.setObject(text("x"), forKey: "a")
    #expect(try permissions("a") == 0o600)
    chmod(file("a").path, 0o664)
    try folder.setObject(text("y"), forKey: "a")
    #expect(try permissions("a") == 0o664)
  }

  private func permissions(_ name: String) throws -> mode_t? {
    try FileStatus(of: file(name).path)?.permissions
  }

  @Test func leftoversAreNotListedAndGoWithAll() throws {
    let folder = open()
    try folder.setObject(text("x"), forKey: "a")
    let leftover = file(".strata-0123456789abcdef.tmp")
    try text("half").write(to: leftover)
    #expect(try folder.keys() == ["a"])
    try folder.removeAll()
    #expect(!FileManager.default.fileExists(atPath: leftover.path))
  }

  @Test func aFolderUnderATypedStore() throws {
    let store = Set(["b", "a"])
    let folder = open()
    for name in store { try folder.setObject(text(name), forKey: "\(name).txt") }
    let texts = folder.mapString().mapKeys(
      mapTo: { $0.hasSuffix(".txt") ? String($0.dropLast(4)) : nil }, mapFrom: { "\($0).txt" })
    #expect(try texts.object(forKey: "a") == "a")
    #expect(try Set(texts.keys()) == store)
  }
}

struct FileStorageTests {
  private let url = TemporaryFolder().url

  @Test func aFileByItsURL() async throws {
    let file = url.appending(path: "new folder/ünï.txt")
    let files = FileStorage()
    await #expect(throws: StorageError.notFound) { try await files.retrieve(forKey: file) }
    try await files.set(text("one"), forKey: file)
    #expect(try Data(contentsOf: file) == text("one"))
    try await files.update(forKey: file) { $0.append(text(" two")) }
    #expect(try await DiskStorage.shared.mapString().retrieve(forKey: file) == "one two")
    try await files.remove(forKey: file)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try await files.remove(forKey: file)
  }

  @Test func updatesAreNotLost() async throws {
    let file = url.appending(path: "count")
    let files = DiskStorage.detached()
    try await files.set(text("0"), forKey: file)
    try await withThrowingTaskGroup { group in
      for _ in 0..<50 {
        group.addTask {
          try await files.update(forKey: file) {
            $0 = text("\((Int(String(decoding: $0, as: UTF8.self)) ?? 0) + 1)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await files.retrieve(forKey: file) == text("50"))
  }

  @Test func noFolderIsMade() async throws {
    let file = url.appending(path: "missing/file")
    let files = DiskStorage.detached(creatingDirectories: false)
    await #expect(throws: StorageError.backendFailed) { try await files.set(text("x"), forKey: file) }
    await #expect(throws: StorageError.backendFailed) { try await files.retrieve(forKey: file) }
    #expect(!FileManager.default.fileExists(atPath: url.appending(path: "missing").path))
  }

  @Test(arguments: ["https://example.com/a", "file:///tmp/"])
  func noFile(_ address: String) async throws {
    let url = try #require(URL(string: address))
    await #expect(throws: StorageError.invalidConfiguration) { try await FileStorage().retrieve(forKey: url) }
  }
}
