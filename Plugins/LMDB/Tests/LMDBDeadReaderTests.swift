#if os(Linux)
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataLMDB

  /// The second process is this program, started again to run this test; an environment variable marks it as the
  /// second.
  @Suite("A reader that is killed") struct LMDBDeadReaderTests {
    private static let variable = "STRATA_LMDB_READER"

    @Test func keepsNoPagesFromBeingUsedAgain() async throws {
      if let path = ProcessInfo.processInfo.environment[Self.variable] { return try readForEver(path) }
      let folder = LMDBFolder()
      // The file is full after some eighty overwrites, unless replaced pages are reused.
      let store = try folder.open { $0.maxFileSize = 1 << 20 }
      try await store.setObject(bytes(10_000), forKey: "key")
      let reader = try Program(
        [
          "/proc/self/exe", "--testing-library", "swift-testing", "--filter",
          "keepsNoPagesFromBeingUsedAgain",
        ],
        environment: ProcessInfo.processInfo.environment.merging([Self.variable: store.path]) { $1 })
      await until { FileManager.default.fileExists(atPath: store.path + "/reading") || !reader.isRunning }
      #expect(reader.isRunning)
      // While the reader lives, its pages cannot be reused.
      let error = failure {
        for seed in 0..<500 { try store.setObject(bytes(10_000, seed: UInt64(seed)), forKey: "key") }
      }
      #expect((error?.cause as? LMDBError)?.name == "MDB_MAP_FULL")
      reader.signal(SIGKILL)
      #expect(reader.wait() == .signal(SIGKILL))
      for seed in 0..<500 { try await store.setObject(bytes(10_000, seed: UInt64(seed)), forKey: "key") }
      #expect(try await store.object(forKey: "key") == bytes(10_000, seed: 499))
    }

    private func readForEver(_ path: String) throws {
      let store = try LMDBStorage<String>(config: LMDBConfig(path: path, durability: .off))
      try store.withBytes(forKey: "key") { _ in
        try Data().write(to: URL(filePath: path + "/reading"))
        while true { pause() }
      }
    }
  }
#endif
