#if os(Linux)
  import CLMDB
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataLMDB

  /// A change of an entry whose old value is stored in parts is committed first, and the parts are removed in
  /// transactions of their own.
  @Suite(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
  struct LMDBTidyingTests {
    /// The file system has room for some more pages: for none, for the entry alone, or also for the removal of parts.
    @Test(arguments: [false, true])
    func aCallThatThrowsBecauseTheDiskIsFullHasChangedNothing(_ isRemoval: Bool) async throws {
      var leftParts = 0
      for pages in 0..<32 {
        let disk = try SmallFileSystem(size: "8m")
        let config = LMDBConfig(path: disk.url.path + "/store", durability: .off)
        let store = try LMDBStorage<String>(config: config)
        try await store.write(forKey: "a", from: PartSequence(noise(5_000_000)))
        try disk.fill(except: pages * 4096)
        let error = failure {
          if isRemoval {
            try store.removeObject(forKey: "a")
          } else {
            try store.setObject(text("new"), forKey: "a")
          }
        }
        let isChanged = try await store.stream("a", nil, [])?.length != 5_000_000
        #expect((error == nil) == isChanged, "\(pages) pages: \(error as Any)")
        if isChanged, try parts(in: store) != 0 { leftParts += 1 }
        try disk.grow(to: "16m")
        try await store.removeExpiredObjects()
        #expect(try parts(in: store) == (isChanged ? 0 : 20))
      }
      #expect(leftParts > 0, "no round had room for the entry alone")
    }

    private func parts(in store: LMDBStorage<String>) throws -> Int {
      guard let parts = store.engine.partDatabases?.parts else { return 0 }
      return try store.engine.read(together: true) { Int(try $0.statistics(of: parts).ms_entries) }
    }
  }
#endif
