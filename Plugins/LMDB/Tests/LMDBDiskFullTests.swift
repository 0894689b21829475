#if os(Linux)
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataLMDB

  /// Operations on a file system that is full.
  @Suite(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
  struct LMDBDiskFullTests {
    @Test(arguments: LMDBConfig.Durability.allCases)
    func aFullDiskIsAnErrorAndNothingIsLost(_ durability: LMDBConfig.Durability) throws {
      let disk = try SmallFileSystem(size: "4m")
      let config = LMDBConfig(path: disk.url.path + "/a/store", durability: durability)
      var written = 0
      do {
        let store = try LMDBStorage<Int>(config: config)
        var error: StorageError?
        while error == nil, written < 100 {
          error = failure { try store.setObject(bytes(100_000, seed: UInt64(written)), forKey: written) }
          if error == nil { written += 1 }
        }
        #expect(error == .backendFailed)
        // The first write that does not fit is truncated, which LMDB reports as an I/O error; the next is refused.
        let names = ["ENOSPC", "EIO"]
        #expect(names.contains((error?.cause as? LMDBError)?.name ?? ""))
        #expect(error?.message.contains("nothing was changed") == true)
        #expect(error?.message.contains("room on") == true)
        #expect(error?.place == store.path)
        #expect(error?.key as? Int == written)
        #expect(written > 4)
        // A batch that fails also changes nothing.
        let batch = Dictionary(uniqueKeysWithValues: (0..<written + 20).map { ($0, bytes(100_000)) })
        #expect(failure { try store.setObjects(batch, expiry: nil) } == .backendFailed)
        #expect(try store.keys().sorted() == Array(0..<written))
        for key in 0..<written { #expect(try store.object(forKey: key) == bytes(100_000, seed: UInt64(key))) }
        try disk.grow(to: "64m")
        try store.setObjects(batch, expiry: nil)
      }
      let store = try LMDBStorage<Int>(config: config)
      #expect(try store.keys().count == written + 20)
      #expect(try store.object(forKey: 0) == bytes(100_000))
    }
  }
#endif
