#if os(Linux)
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataRocksDB

  /// Operations on a file system that is full.
  @Suite(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
  struct RocksDBDiskFullTests {
    @Test func aFullDiskIsAnErrorAndNothingIsLost() throws {
      let disk = try SmallFileSystem(size: "12m")
      let config = RocksDBConfig(path: disk.url.path + "/db")
      var written = 0
      do {
        let store = try RocksDBStorage<Int>(config: config)
        var error: StorageError?
        while error == nil, written < 100 {
          error = failure {
            try store.setObject(bytes(1 << 20, seed: UInt64(written)), forKey: written, expiry: nil)
          }
          if error == nil { written += 1 }
        }
        #expect(error == .backendFailed)
        #expect(error?.message.contains("No space left on device") == true)
        #expect(error?.message.contains("and open them again") == true)
        #expect(error?.place == store.path)
        #expect(error?.key as? Int == written)
        #expect(written > 4)
        #expect(try store.keys().count == written)
        #expect(try store.entryIfPresent(forKey: written) == nil)
        // Flushing and removing must throw, and must not end the process.
        #expect(failure { try store.flush() } == .backendFailed)
        #expect(failure { try store.removeAll() } == .backendFailed)
      }
      // Without space the database may fail to open; if it opens, no entry is missing.
      do {
        #expect(try RocksDBStorage<Int>(config: config).keys().count == written)
      } catch let error as StorageError { #expect(error == .backendFailed) }
      try disk.grow(to: "64m")
      let store = try RocksDBStorage<Int>(config: config)
      #expect(try store.keys().count == written)
      for key in 0..<written { #expect(try store.object(forKey: key) == bytes(1 << 20, seed: UInt64(key))) }
      try store.setObject(text("v"), forKey: -1, expiry: nil)
      #expect(try store.object(forKey: -1) == text("v"))
    }
  }
#endif
