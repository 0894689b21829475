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

struct DiskFaultTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: ["", ".", "..", "/", "a//b", "a/", "../x", "/etc", "nul\0"])
  func aNameThatLeavesTheDirectoryIsRefused(_ name: String) {
    let config = DiskConfig(name: name, directory: folder.url)
    #expect(failure { try DiskStorage<String>(config: config) } == .invalidConfiguration)
  }

  @Test(arguments: [DiskLayout.automatic, .files])
  func aNameMayLeadThroughFolders(_ layout: DiskLayout) throws {
    func open(_ name: String) throws -> DiskStorage<String> {
      try DiskStorage(config: DiskConfig(name: name, directory: folder.url, layout: layout))
    }
    let outer = try open("a")
    let inner = try open("a/b c/ü")
    try outer.setObject(text("outer"), forKey: "k", expiry: nil)
    try inner.setObject(text("inner"), forKey: "k", expiry: nil)
    #expect(inner.path == folder.url.path + "/a/b c/ü")
    #expect(try outer.keys() == ["k"])
    #expect(try open("a/b c/ü").object(forKey: "k") == text("inner"))
    try outer.removeAll()
    #expect(try inner.object(forKey: "k") == text("inner"), "a store below another is none of its entries")
    try inner.removeAll()
    #expect(try outer.keys() == [] && inner.keys() == [])
  }

  @Test func aDirectoryElsewhereIsRefused() throws {
    let config = DiskConfig(name: "x", directory: URL(string: "https://example.com/files"))
    #expect(failure { try DiskStorage<String>(config: config) } == .invalidConfiguration)
  }

  @Test func foldersAboveAreMadeForTheUserAlone() throws {
    let directory = folder.url.appending(path: "a b/ü/%41")
    let disk = try DiskStorage<String>(config: DiskConfig(name: "c", directory: directory, layout: .files))
    try disk.setObject(text("v"), forKey: "k", expiry: nil)
    #expect(disk.path == folder.url.path + "/a b/ü/%41/c")
    for path in [disk.path, folder.url.path + "/a b", disk.path + "/" + EntryName.of(Array("k".utf8))] {
      var status = stat()
      try call("stat", stat(path, &status))
      #expect(status.st_mode & 0o077 == 0, "\(path)")
    }
  }

  @Test(arguments: ["store", "store/below", "store/far/below"])
  func aFileWhereAFolderShouldBeIsNamed(_ place: String) throws {
    try text("a file").write(to: folder.store)
    let url = folder.url.appending(path: place)
    let config = DiskConfig(name: url.lastPathComponent, directory: url.deletingLastPathComponent())
    let error = failure { try DiskStorage<String>(config: config) }
    #expect(error == .backendFailed)
    #expect(error?.place == folder.store.path)
    #expect(error.map { "\($0)".contains("File exists") } == true)
    #expect(try Data(contentsOf: folder.store) == text("a file"))
  }

  @Test func aLazyStoreThrowsWhenItIsUsed() throws {
    let bad = DiskStorage.folder("a/../b", in: .cachesDirectory)
    #expect(failure { try bad.entryIfPresent(forKey: "k") } == .invalidConfiguration)
    #expect(failure { try bad.setObject(Data(), forKey: "k", expiry: nil) } == .invalidConfiguration)
    #expect(failure { try bad.keys() } == .invalidConfiguration)
    #expect(failure { try bad.removeAll() } == .invalidConfiguration)

    let name = "StrataDiskTests-\(UUID().uuidString)"
    let good = DiskStorage.folder(name, in: .cachesDirectory)
    #expect(good.path.hasSuffix("/\(name)"))
    #expect(!FileManager.default.fileExists(atPath: good.path))
    defer { do { try FileManager.default.removeItem(atPath: good.path) } catch { Issue.record(error) } }
    try good.setObject(text("v"), forKey: "k", expiry: nil)
    #expect(try DiskStorage.folder(name, in: .cachesDirectory).object(forKey: "k") == text("v"))
    let below = DiskStorage.folder("\(name)/a/b", in: .cachesDirectory)
    #expect(below.path == "\(good.path)/a/b")
    try below.setObject(text("w"), forKey: "k", expiry: nil)
    #expect(try below.object(forKey: "k") == text("w") && good.object(forKey: "k") == text("v"))
  }

  @Test func aFailureIsNeverAMiss() throws {
    let disk = try folder.open()
    try disk.setObject(text("v"), forKey: "k", expiry: nil)
    #expect(try disk.keys() == ["k"])
    try FileManager.default.removeItem(at: folder.store)
    try text("a file").write(to: folder.store)
    let errors = [
      failure { try disk.entryIfPresent(forKey: "k") }, failure { try disk.expiryIfPresent(forKey: "k") },
      failure { try disk.setObject(text("w"), forKey: "k", expiry: nil) },
      failure { try disk.removeObject(forKey: "k") }, failure { try disk.keys() },
      failure { try disk.removeAll() }, failure { try disk.removeExpiredObjects() },
    ]
    for error in errors {
      #expect(error == .backendFailed)
      #expect(error?.place?.hasPrefix(folder.store.path) == true)
      #expect(error?.cause is SystemError)
    }
    #expect(folder.damage.all == [])
    #expect(disk.totalSize == 66)
    #expect(folder.damage.all == [.backendFailed])
    #expect(try Data(contentsOf: folder.store) == text("a file"))
  }

  @Test(arguments: [0, 1000] as [UInt])
  func aFolderThatVanishesIsMadeAgain(maxSize: UInt) throws {
    let disk = try folder.open(maxSize: maxSize)
    for key in ["a", "b"] { try disk.setObject(text("v"), forKey: key, expiry: nil) }
    #expect(try disk.keys().count == 2)
    try FileManager.default.removeItem(at: folder.store)
    #expect(try disk.entryIfPresent(forKey: "a") == nil)
    #expect(try disk.keys() == [])
    try FileManager.default.removeItem(at: folder.store)
    try disk.removeObject(forKey: "a")
    try disk.removeAll()
    try disk.setObject(text("w"), forKey: "c", expiry: nil)
    #expect(try disk.object(forKey: "c") == text("w"))
    #expect(try disk.keys() == ["c"])
    #expect(try disk.totalSize == folder.entryBytes())
  }

  @Test func leftoversOfDeadProcessesAreDeletedAndOthersAreNot() throws {
    _ = try folder.open()
    let names = (0..<3).map { _ in EntryName.temporary() }
    for name in names { try text("half a").write(to: folder.store.appending(path: name)) }
    let inUse = try File(folder.store.appending(path: names[0]).path, O_WRONLY)
    #expect(try inUse.tryLock())
    let noFile = EntryName.temporary()
    try FileManager.default.createDirectory(
      at: folder.store.appending(path: noFile), withIntermediateDirectories: false)

    let disk = try folder.open()
    #expect(try folder.names() == [names[0], noFile].sorted())
    try text("half a").write(to: folder.store.appending(path: names[1]))
    try disk.removeAll()
    #expect(try folder.names() == [names[0], noFile].sorted())
    withExtendedLifetime(inUse) {}
  }

  @Test func noDescriptorIsLeftOpen() throws {
    let disk = try folder.open(maxSize: 300)
    for (i, damage) in Damage.kinds.enumerated() {
      try disk.setObject(bytes(10), forKey: "\(i)", expiry: nil)
      try disk.setObject(bytes(10), forKey: "other", expiry: nil)
      try damage.strike(folder.file(of: "\(i)"), other: folder.file(of: "other"))
      _ = failure { try disk.entryIfPresent(forKey: "\(i)") }
      _ = failure { try disk.setObject(bytes(1000), forKey: "\(i)", expiry: nil) }
      _ = try disk.object(forKey: "other")
      _ = try folder.open().keys()
    }
    #expect(openFiles(below: folder.url.path) == 0)
    let held = try File(folder.file(of: "other").path, O_RDONLY)
    #expect(openFiles(below: folder.url.path) == 1)
    withExtendedLifetime(held) {}
  }

  /// Returns how many descriptors of this process refer to files below a folder.
  private func openFiles(below path: String) -> Int {
    (0..<4096).count { descriptor in
      var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
      #if os(Linux)
        let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
      #else
        let count = fcntl(CInt(descriptor), F_GETPATH, &target) == 0 ? target.count : 0
      #endif
      return count > 0 && String(decoding: target.prefix(count), as: UTF8.self).contains(path)
    }
  }
}
