import BenchHarness
import Foundation
import Strata
import StrataLMDB
import StrataRocksDB
import StrataSQLite

/// One store of each kind, in one folder.
struct Stores {
  let rawSQLite: RawSQLite
  let rawLMDB: RawLMDB
  let rawRocksDB: RawRocksDB
  let sqlite: Backend<SQLiteStorage<String>>
  let lmdb: Backend<LMDBStorage<String>>
  let rocksdb: Backend<RocksDBStorage<String>>
  let disk: Backend<DiskStorage<String>>

  init(folder: URL) throws {
    let threads = BackendTimings.threads.max() ?? 1
    func path(_ name: String) -> String { folder.appending(path: name).path }
    rawSQLite = try RawSQLite(folder: folder, threads: threads)
    rawLMDB = try RawLMDB(folder: folder, threads: threads)
    rawRocksDB = try RawRocksDB(folder: folder)
    sqlite = Backend(store: try SQLiteStorage(config: SQLiteConfig(path: path("strata.sqlite"))))
    lmdb = Backend(store: try LMDBStorage(config: LMDBConfig(path: path("strata.lmdb"))))
    rocksdb = Backend(store: try RocksDBStorage(config: RocksDBConfig(path: path("strata.rocksdb"))))
    disk = Backend(store: try DiskStorage(config: DiskConfig(name: "strata", directory: folder)))
  }
}

/// The work of one thread in a run, which takes some milliseconds. Stores that do not wait for the disk do a hundred
/// times as many operations.
struct Load {
  let gets: Int
  let puts: Int
  /// The number of batches, for batch operations.
  var batches = 5

  static let sqlite = Load(gets: 5_000, puts: 1_000)
  static let lmdb = Load(gets: 40_000, puts: 50)
  static let rocksdb = Load(gets: 10_000, puts: 3_000)
  static let disk = Load(gets: 2_000, puts: 100, batches: 0)
}

/// The same values written to all stores and read again.
struct Workload {
  let value: Data
  /// The number of keys.
  let count: Int
  let isQuick: Bool

  private static let batch = 1_000

  func measure(_ stores: Stores) throws -> BackendTimings {
    var found = BackendTimings()
    let keys = [String](numbers: 0..<count)
    // All keys exist before the first measured operation, so every write is an overwrite.
    for batch in batches(of: keys, count / Self.batch) {
      _ = try stores.rawSQLite.writeBatches(value, [batch], 0)
      _ = try stores.rawLMDB.writeBatches(value, [batch], 0)
      _ = try stores.rawRocksDB.writeBatches(value, [batch], 0)
      _ = try stores.sqlite.writeBatches(value, [batch], 0)
      _ = try stores.lmdb.writeBatches(value, [batch], 0)
      _ = try stores.rocksdb.writeBatches(value, [batch], 0)
      _ = try stores.disk.writeBatches(value, [batch], 0)
    }
    for operation in Operation.allCases {
      Progress.say("backends: \(operation.rawValue)")
      let comparison = Comparison(
        operations: 0, threads: BackendTimings.threads, rounds: isQuick ? 1 : 7, warmUps: 1)
      found.timings[operation] = try comparison.run([
        contender(Engine.sqlite.raw, stores.rawSQLite, operation, .sqlite, keys),
        contender(Engine.sqlite.backend, stores.sqlite, operation, .sqlite, keys),
        contender(Engine.lmdb.raw, stores.rawLMDB, operation, .lmdb, keys),
        contender(Engine.lmdb.backend, stores.lmdb, operation, .lmdb, keys),
        contender(Engine.rocksdb.raw, stores.rawRocksDB, operation, .rocksdb, keys),
        contender(Engine.rocksdb.backend, stores.rocksdb, operation, .rocksdb, keys),
        contender(BackendTimings.disk, stores.disk, operation, .disk, keys),
      ])
    }
    return found
  }

  /// Returns the contender for one store.
  private func contender(
    _ name: String, _ store: some ByteStore, _ operation: Operation, _ load: Load, _ keys: [String]
  ) -> Contender {
    let value = value
    func draws(_ length: Int) -> [[String]] {
      (0..<2).map { thread in
        KeySequence.uniform(isQuick ? 20 : length, of: count, seed: UInt64(thread) + 1).map { keys[$0] }
      }
    }
    switch operation {
    case .get:
      let read = draws(load.gets)
      return Contender(name, operations: read[0].count) { thread, _ in try store.read(read[thread], thread) }
    case .put:
      let written = draws(load.puts)
      return Contender(name, operations: written[0].count) { thread, _ in
        try store.write(value, written[thread], thread)
      }
    case .getBatch:
      let read = batches(of: keys, isQuick ? 1 : load.gets / Self.batch)
      return Contender(name, operations: read.joined().count) { thread, _ in
        try store.readBatches(read, thread)
      }
    case .putBatch:
      // Large values make large batches. A store without batch writes is so slow that a hundred values are enough.
      let count = isQuick || value.count > 1_000 ? min(load.batches, 1) : load.batches
      let written = count == 0 ? [Array(keys.prefix(100))] : batches(of: keys, count)
      return Contender(name, operations: written.joined().count) { thread, _ in
        try store.writeBatches(value, written, thread)
      }
    }
  }

  /// Returns batches of consecutive keys, which wrap around.
  private func batches(of keys: [String], _ count: Int) -> [[String]] {
    (0..<count).map { index in
      (0..<Self.batch).map { keys[(index * Self.batch + $0) % keys.count] }
    }
  }
}
