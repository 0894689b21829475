import Foundation
import Strata

/// A store that keeps values on disk.
enum DiskPeer: String, CaseIterable {
  case bare = "bare calls"
  case disk = "DiskStorage"
  case sqlite = "SQLite, WAL"
  case sqliteAsItComes = "SQLite, as it comes"
  case lmdb = "LMDB, unsynced"
  case rocksdb = "RocksDB"
  case foundation = "Foundation"

  /// The size from which the baseline is a file per value instead of a log.
  static let large = 1_000_000
  static let threads = [1, 2]

  /// Opens or creates the store in its own folder. All values have the same size.
  func open(in folder: URL, size: Int) throws -> OpenStore {
    let threads = Self.threads.max() ?? 1
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return switch self {
    case .bare:
      size < Self.large
        ? OpenStore(try BareLog(folder: folder, size: size)) : OpenStore(BareFiles(folder: folder))
    case .disk:
      OpenStore(Backend(store: try DiskStorage(config: DiskConfig(name: "strata", directory: folder))))
    case .sqlite: OpenStore(try RawSQLite(folder: folder, threads: threads))
    case .sqliteAsItComes:
      OpenStore(try RawSQLite(folder: folder, threads: threads, settings: .asItComes))
    case .lmdb:
      OpenStore(try RawLMDB(folder: folder, threads: threads, isSynced: false, mapSize: 16 << 30))
    case .rocksdb: OpenStore(try RawRocksDB(folder: folder))
    case .foundation: OpenStore(FoundationFiles(folder: folder))
    }
  }

  /// Returns whether this many entries can be created in acceptable time. Stores with a file for each entry take too
  /// long, as do stores that wait for the disk.
  func keeps(_ count: Int) -> Bool {
    switch self {
    case .foundation: count <= 1_000
    case .sqliteAsItComes: count <= 100_000
    default: true
    }
  }

  /// Returns the number of reads of one thread in a run: some milliseconds of work.
  func gets(size: Int) -> Int {
    switch self {
    case .bare: scaled(5_000, size)
    case .disk: scaled(4_000, size)
    case .sqlite, .sqliteAsItComes: scaled(2_000, size)
    case .lmdb: scaled(10_000, size)
    case .rocksdb: scaled(3_000, size)
    case .foundation: scaled(500, size)
    }
  }

  /// Returns the number of writes of one thread in a run. It is large enough for each run to include deferred work,
  /// such as SQLite's checkpoints or the emptying of a segment.
  func puts(size: Int) -> Int {
    switch self {
    case .bare: scaled(5_000, size)
    case .disk: scaled(10_000, size)
    case .sqlite: scaled(2_000, size)
    case .sqliteAsItComes: 5
    case .lmdb: scaled(1_000, size)
    case .rocksdb: scaled(2_000, size)
    case .foundation: scaled(40, size)
    }
  }

  private func scaled(_ count: Int, _ size: Int) -> Int {
    max(count / (size < 10_000 ? 1 : size < Self.large ? 4 : 200), 5)
  }
}
