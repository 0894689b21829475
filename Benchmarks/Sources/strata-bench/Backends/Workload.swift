import BenchHarness
import Foundation
import Strata
import StrataLMDB
import StrataRocksDB
import StrataSQLite

/// One of each kind, in one folder.
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

/// The same values put into all stores and read again.
struct Workload {
  let value: Data
  /// How many keys there are.
  let count: Int
  let isQuick: Bool

  private static let batch = 1_000

  func measure(_ stores: Stores) throws -> BackendTimings {
    var found = BackendTimings()
    let keys = [String](numbers: 0..<count)
    let batches = stride(from: 0, to: count, by: Self.batch).map { Array(keys[$0..<$0 + Self.batch]) }
    // Everything is there from the first measured operation on, and every write is one over another.
    _ = try stores.disk.write(value, keys, 0)
    for operation in [Operation.putBatch, .getBatch, .put, .get] {
      Progress.say("backends: \(operation.rawValue)")
      let comparison = Comparison(
        operations: 0, threads: BackendTimings.threads, rounds: isQuick ? 1 : 5, warmUps: 1)
      found.timings[operation] = try comparison.run(
        [
          contender(Engine.sqlite.raw, stores.rawSQLite, operation, putting: 500, keys, batches),
          contender(Engine.sqlite.backend, stores.sqlite, operation, putting: 500, keys, batches),
          contender(Engine.lmdb.raw, stores.rawLMDB, operation, putting: 100, keys, batches),
          contender(Engine.lmdb.backend, stores.lmdb, operation, putting: 100, keys, batches),
          contender(Engine.rocksdb.raw, stores.rawRocksDB, operation, putting: 2_000, keys, batches),
          contender(Engine.rocksdb.backend, stores.rocksdb, operation, putting: 2_000, keys, batches),
          contender(BackendTimings.disk, stores.disk, operation, putting: 100, keys, batches),
        ])
    }
    return found
  }

  /// The work of one store. As many writes a run as take some ten milliseconds: what waits for the disk takes a hundred times as
  /// long as what does not.
  private func contender(
    _ name: String, _ store: some ByteStore, _ operation: Operation, putting: Int, _ keys: [String],
    _ batches: [[String]]
  ) -> Contender {
    let value = value
    let draws = (0..<2).map { thread in
      KeySequence.uniform(isQuick ? 200 : 5_000, of: count, seed: UInt64(thread) + 1).map { keys[$0] }
    }
    let written = draws.map { Array($0.prefix(isQuick ? 20 : putting)) }
    // A store that has no way to write many at once takes so long that a hundred will do.
    let few = name == BackendTimings.disk ? [Array(keys.prefix(100))] : Array(batches.prefix(2))
    return switch operation {
    case .get:
      Contender(name, operations: draws[0].count) { thread, _ in try store.read(draws[thread], thread) }
    case .put:
      Contender(name, operations: written[0].count) { thread, _ in
        try store.write(value, written[thread], thread)
      }
    case .getBatch:
      Contender(name, operations: batches.joined().count) { thread, _ in
        try store.readBatches(batches, thread)
      }
    case .putBatch:
      Contender(name, operations: few.joined().count) { thread, _ in
        try store.writeBatches(value, few, thread)
      }
    }
  }
}
