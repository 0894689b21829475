#if os(Linux)
  import Foundation
  import Strata
  import StrataLMDB
  import StrataLZ4
  import StrataParts
  import StrataRocksDB
  import StrataSQLite
  import StrataSodium
  import StrataZstd
  import TestSupport
  import Testing

  /// Values that are larger than memory, through stores and links of all kinds. The tests of Redis, PostgreSQL and S3
  /// do the same with their servers.
  @Suite(.serialized, .endsInTime, .withoutSanitizer) struct StreamMemoryTests {
    enum Chain: String, CaseIterable {
      case disk, files, folder, sqlite, lmdb, rocksdb
      case encrypted, zlib, zstd, lz4
      /// A disk in front of a folder. It is filled while the folder is read.
      case hybrid
      case inParts

      func store(in folder: URL) throws -> any StorageAware<String, Data> {
        let path = folder.path
        func disk(_ name: String = "disk") throws -> DiskStorage<String> {
          try DiskStorage(config: DiskConfig(name: name, directory: folder))
        }
        func chain(_ transformer: Transformer<Data>) throws -> AsyncStorage<String, Data> {
          Storage(
            front: MemoryStorage<String, TypeWrapper>(), back: try disk(), transformer: transformer
          ).async
        }
        switch self {
        case .disk: return try disk()
        case .files:
          var config = DiskConfig(name: "disk", directory: folder)
          config.layout = .files
          return try DiskStorage<String>(config: config)
        case .folder: return FolderStorage(url: folder)
        case .sqlite: return try SQLiteStorage<String>(config: SQLiteConfig(path: path + "/values.sqlite"))
        case .lmdb: return try LMDBStorage<String>(config: LMDBConfig(path: path))
        case .rocksdb: return try RocksDBStorage<String>(config: RocksDBConfig(path: path))
        case .encrypted: return try chain(.data.encrypted(with: KeyRing(SecretKey())))
        case .zlib: return try chain(.data.zlib(level: 1))
        case .zstd: return try chain(.data.zstd(level: 1))
        case .lz4: return try chain(.data.lz4())
        case .hybrid:
          return Storage(
            front: HybridStorage(front: MemoryStorage<String, TypeWrapper>(), back: try disk()),
            back: try disk("far"), transformer: .data
          ).async
        case .inParts: return try disk().inParts()
        }
      }

      /// The number of bytes that the engine is configured to hold: RocksDB's cache of blocks, and two buffers of 64
      /// MiB for writes.
      var engine: Int { self == .rocksdb ? 160 << 20 : 0 }

      /// The length of the value outside of soaks: less where 256 MiB would take longer than all others.
      var length: Int { [.sqlite, .zlib, .rocksdb, .inParts].contains(self) ? 64 << 20 : 256 << 20 }
    }

    @Test(arguments: Soak.sample(Chain.allCases, oneIn: 4))
    func aLargeValueNeedsLittleMemory(_ chain: Chain) async throws {
      let length = Soak.rounds(chain.length, soak: 4 << 30) + 5
      if let words = SecondProcess.arguments {
        if words[0] != chain.rawValue { return }
        await SecondProcess.run {
          let store = try chain.store(in: URL(filePath: words[1]))
          SecondProcess.say(
            "more \(try await memory(ofStreaming: length, store, mapsFiles: chain == .lmdb))")
        }
      }
      let folder = TemporaryFolder()
      try expectLittleMemory(chain.rawValue, length, [chain.rawValue, folder.url.path], engine: chain.engine)
      // In a soak, the next value needs the room.
      try FileManager.default.removeItem(at: folder.url)
    }
  }
#endif
