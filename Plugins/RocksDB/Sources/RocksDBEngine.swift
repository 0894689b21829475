internal import CRocksDB
public import StrataEngines

/// The engine of `RocksDBStorage`: a column family of a RocksDB database.
///
/// ```swift
/// // A `RocksDBStorage` is an `EngineStorage` of this engine.
/// let readings = try EngineStorage<String, RocksDBEngine>(config: RocksDBConfig(path: "/var/lib/app/readings"))
/// ```
public final class RocksDBEngine: KeyValueEngine {
  let family: Family
  /// The options of this store's writes. They never change, RocksDB only reads them, and they are freed with the
  /// engine.
  nonisolated(unsafe) let writing: OpaquePointer
  private let durability: RocksDBConfig.Durability
  private let lease: EngineLease<Database>

  init(_ family: Family, of lease: EngineLease<Database>, durability: RocksDBConfig.Durability) {
    self.family = family
    self.lease = lease
    self.durability = durability
    writing = Options.write(durability)
  }

  deinit { rocksdb_writeoptions_destroy(writing) }

  /// The maximum length of a record, checked before writing: RocksDB does not refuse a longer record in a batch.
  public var longestRecord: Int { Int(UInt32.max) - 64 }

  /// Does nothing: the database is closed when the last store over its folder is released.
  public func close() {}

  /// RocksDB's counters since the database was opened, as lines of text.
  var counters: String { lease.engine.counters() }

  func refuseReadOnly() throws(StorageError) {
    if lease.engine.isReadOnly { throw .readOnly.with(place: lease.engine.path) }
  }

  func flush() throws(RocksDBError) {
    if lease.engine.isReadOnly { return }
    if durability == .off { try family.flush() } else { try lease.engine.syncLog() }
  }

  /// Returns the store's error for an error of RocksDB, with advice for the user.
  public func explained(_ error: any Error) -> StorageError {
    if let error = error as? StorageError { return error }
    if let error = error as? RocksDBError { return error.explained(at: lease.engine.path) }
    return .backendFailed.with("\(error)", cause: error)
  }
}
