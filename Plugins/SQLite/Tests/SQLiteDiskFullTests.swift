#if os(Linux)
  import Foundation
  import StrataCore
  import StrataSQLite
  import TestSupport
  import Testing

  /// Operations on a file system that is full.
  @Suite(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
  struct SQLiteDiskFullTests {
    @Test(arguments: SQLiteConfig.Durability.allCases)
    func aFullDiskIsAnErrorAndNothingIsLost(_ durability: SQLiteConfig.Durability) throws {
      let disk = try SmallFileSystem(size: "4m")
      let config = SQLiteConfig(path: disk.url.path + "/a/store.db", durability: durability)
      let value = Data(repeating: 7, count: 100_000)
      var written = 0
      do {
        let store = try SQLiteStorage<Int>(config: config)
        var error: StorageError?
        while error == nil, written < 100 {
          error = failure { try store.setObject(value, forKey: written) }
          if error == nil { written += 1 }
        }
        #expect(error == .backendFailed)
        #expect((error?.cause as? SQLiteError)?.name == "SQLITE_FULL")
        #expect(error?.message.contains("disk is full") == true)
        #expect(error?.place == store.path)
        #expect(error?.key as? Int == written)
        #expect(written > 4)
        // A batch that fails also changes nothing.
        let batch = Dictionary(
          uniqueKeysWithValues: (0..<written + 20).map { ($0, Data("new".utf8) + value) })
        #expect(failure { try store.setObjects(batch, expiry: nil) } == .backendFailed)
        #expect(try store.keys().sorted() == Array(0..<written))
        for key in 0..<written { #expect(try store.object(forKey: key) == value) }
        #expect(try store.integrityCheck() == [])
        try disk.grow(to: "64m")
        try store.setObjects(batch, expiry: nil)
      }
      let store = try SQLiteStorage<Int>(config: config)
      #expect(try store.keys().count == written + 20)
      #expect(try store.object(forKey: 0) == Data("new".utf8) + value)
      #expect(try store.integrityCheck() == [])
    }
  }
#endif
