import BenchHarness

/// An engine that a backend wraps.
enum Engine: CaseIterable {
  case sqlite, lmdb, rocksdb

  /// The backend's name.
  var backend: String {
    switch self {
    case .sqlite: "SQLiteStorage"
    case .lmdb: "LMDBStorage"
    case .rocksdb: "RocksDBStorage"
    }
  }

  /// The name of the engine's own API.
  var raw: String {
    switch self {
    case .sqlite: "SQLite"
    case .lmdb: "LMDB"
    case .rocksdb: "RocksDB"
    }
  }
}

/// An operation on a store.
enum Operation: String, CaseIterable {
  case get = "get"
  case put = "put"
  case getBatch = "get in batches"
  case putBatch = "put in batches"
}

/// The measurements of all stores.
struct BackendTimings {
  static let disk = "DiskStorage"
  static let threads = [1, 2]

  var timings: [Operation: [Timing]] = [:]

  func of(_ name: String, _ operation: Operation, threads: Int) -> Timing {
    (timings[operation] ?? []).of(name, threads: threads)
  }

  func ratio(_ engine: Engine, _ operation: Operation, threads: Int) -> Double {
    of(engine.backend, operation, threads: threads).ratio(to: of(engine.raw, operation, threads: threads))
  }
}
