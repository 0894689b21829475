internal import CRocksDB
import StrataEngines

/// A column family of an open database, shared by all stores that use it.
final class Family: Sendable {
  let name: String
  /// RocksDB's functions may be called with these pointers on any thread. They never change, and are freed with the
  /// database, which every user of the family keeps open.
  nonisolated(unsafe) let handle: OpaquePointer
  nonisolated(unsafe) let database: OpaquePointer
  nonisolated(unsafe) let reading: OpaquePointer
  nonisolated(unsafe) let scanning: OpaquePointer

  /// The state that all stores over the family share.
  let state = EngineState()
  /// The compression of new tables; `nil` if it has not changed since the database was last open.
  private let compression: Locked<RocksDBConfig.Compression?>

  init(
    _ name: String, _ handle: OpaquePointer, of database: Database, compression: RocksDBConfig.Compression?
  ) {
    self.name = name
    self.handle = handle
    self.database = database.handle
    reading = database.reading
    scanning = database.scanning
    self.compression = Locked(compression)
  }

  /// Sets the compression of new tables.
  func compress(with wanted: RocksDBConfig.Compression) throws {
    try compression.withLock { compression in
      if compression == wanted { return }
      try "compression".withCString { key in
        try wanted.name.withCString { value in
          try calling { rocksdb_set_options_cf(database, handle, 1, [key], [value], $0) }
        }
      }
      compression = wanted
    }
  }

  /// Writes the entries in memory to tables, and waits until the disk has them.
  func flush() throws(RocksDBError) {
    let options = rocksdb_flushoptions_create()
    defer { rocksdb_flushoptions_destroy(options) }
    try calling { rocksdb_flush_cf(database, options, handle, $0) }
  }
}
