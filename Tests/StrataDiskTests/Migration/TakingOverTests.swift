#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Dispatch
import StrataCore
import Testing

@testable import StrataDisk

/// Entries of another layout or library that several stores import at the same time.
struct TakingOverTests {
  /// An existing entry is never reported absent, whichever store imports it.
  @Test(arguments: [nil, .hyperosloCache, .asyncStorages] as [DiskPredecessor?])
  func aReaderNeverMissesAnEntryBeingImported(_ predecessor: DiskPredecessor?) throws {
    let folder = try TestFolder(.automatic)
    let keys = (0..<300).map { "key \($0)" }
    // Whole seconds: Foundation on Linux refuses a date that it would round to a million microseconds.
    let expiry = Date(
      timeIntervalSince1970: Date.now.addingTimeInterval(9999).timeIntervalSince1970.rounded())
    if let predecessor {
      try FileManager.default.createDirectory(at: folder.store, withIntermediateDirectories: true)
      for key in keys {
        let name =
          predecessor == .asyncStorages
          ? text(key).base64EncodedString() : EntryName.hex(MD5.hash(key.canonicalUTF8))
        let file = folder.store.appending(path: name)
        try text(key).write(to: file)
        try FileManager.default.setAttributes(
          [.modificationDate: expiry], ofItemAtPath: file.path)
      }
    } else {
      let old = try DiskStorage<String>(
        config: DiskConfig(name: "store", directory: folder.url, layout: .files))
      for key in keys { try old.setObject(text(key), forKey: key, expiry: nil) }
    }
    let stores = try (0..<4).map { _ in
      try DiskStorage<String>(
        config: DiskConfig(name: "store", directory: folder.url, predecessor: predecessor))
    }
    let missing = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { reader in
      for key in keys {
        do {
          let isExpiry = key.hashValue & 3 == 0
          let isThere =
            isExpiry
            ? try stores[reader].expiryIfPresent(forKey: key) != nil
            : try stores[reader].entryIfPresent(forKey: key)?.object == text(key)
          if !isThere { missing.withLock { $0.append(key) } }
        } catch { Issue.record(error) }
      }
    }
    #expect(missing.withLock { $0 } == [])
    #expect(try Set(stores[0].keys()) == Set(keys))
    #expect(try folder.names().allSatisfy { $0 == EntryName.control || EntryName.segmentNumber($0) != nil })
  }

  /// A large imported value is stored as a file again, and `filePath` returns that file's path.
  @Test func filePathOfAnImportedFile() throws {
    let folder = try TestFolder(.automatic)
    let old = try DiskStorage<String>(
      config: DiskConfig(name: "store", directory: folder.url, layout: .files))
    try old.setObject(bytes(100_000), forKey: "k", expiry: nil)
    let disk = try folder.open()
    for _ in 0..<2 {
      let path = try #require(try disk.entry(forKey: "k").filePath)
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }
}
