#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import CRocksDB
public import StrataCore

/// A store of bytes in a RocksDB database, with one column family per store.
///
/// ```swift
/// let readings = try RocksDBStorage<String>(config: RocksDBConfig(path: "/var/lib/app/db", family: "readings"))
/// try readings.setObject(bytes, forKey: "2026-03-01T12:00:00Z kitchen", expiry: .seconds(7 * 86_400))
/// ```
///
/// **Keys** may be any text, of any length. They are kept in the order of Swift's strings: `keys()` lists them so, and
/// `keys(from:until:)` lists a range of them.
///
/// **Reads** copy a value once, out of RocksDB's memory. They read tables on disk only if a filter says that the key
/// may be there. RocksDB verifies checksums: damaged data throws `.malformedFileAttributes`.
///
/// **Writes** read nothing. A batch is one write: it is stored as a whole or not at all, for other threads and after a
/// crash. `RocksDBConfig.Durability` determines what a write survives. If RocksDB cannot write tables as fast as
/// entries arrive, a write can take seconds in the worst case.
///
/// **Expiry** dates keep all their bits. The same write adds an expiring entry to an index. `removeExpiredObjects()`
/// visits only expired entries, and keys that expire within the hour.
///
/// **The limit**, `maxSize`, holds after every write; its documentation describes the cost.
///
/// **Threads**: every function may be called on any thread, which it blocks during disk access. Reads never wait for
/// writes.
///
/// **Sharing**: any number of stores in one process may use one folder, and one family, opened in any order. A second
/// process cannot open the folder at the same time: it gets `.backendFailed` with that reason. Column families of other
/// programs, and their records in a store's family, are left unchanged.
public final class RocksDBStorage<Key: StorageKey>: SyncStorageAware {
  /// The values are bytes; `transform(to:)` adds types on top.
  public typealias Value = Data

  let config: RocksDBConfig
  let family: Family
  /// Never changed, only read by RocksDB, and freed with the store.
  nonisolated(unsafe) let writing: OpaquePointer
  private let lease: EngineLease<Database>

  /// Opens a store, creating its folder, its database and its family if they are missing.
  ///
  /// Throws `.invalidConfiguration` if the path or the family is invalid, or if this build of RocksDB lacks the
  /// compression. Throws `.malformedFileAttributes` if the database is damaged, and `.backendFailed` if it cannot be
  /// opened, for example because another process has it open.
  public convenience init(config: RocksDBConfig) throws {
    try config.validate()
    let path = try config.folder()
    do {
      let lease = try Database.shared.lease(path) { try Database(path: path, config: config) }
      self.init(config, lease, try lease.engine.family(config))
    } catch {
      throw StorageError.explaining(error, "open the database", place: path)
    }
  }

  private init(_ config: RocksDBConfig, _ lease: EngineLease<Database>, _ family: Family) {
    self.config = config
    self.lease = lease
    self.family = family
    writing = Options.write(config.durability)
  }

  deinit { rocksdb_writeoptions_destroy(writing) }

  /// The absolute path of the folder that holds the database, with links resolved.
  public var path: String { lease.engine.path }

  /// The clock of the configuration.
  public var clock: StorageClock { config.clock }

  /// Waits until all completed writes are on the disk, whatever the durability. They then survive a loss of power.
  public func flush() throws {
    try explaining("flush the database") {
      if config.durability == .off { try family.flush() } else { try lease.engine.syncLog() }
    }
  }

  /// RocksDB's statistics. Takes some microseconds per level, and reads no entries.
  public var statistics: RocksDBStatistics { RocksDBStatistics(of: family, counters: counters) }

  /// RocksDB's counters since the database was opened, as lines of text.
  var counters: String { lease.engine.counters() }

  /// The maximum size of all entries; `nil` for no limit.
  var limit: Int? { config.maxSize == 0 ? nil : Int(clamping: config.maxSize) }

  /// Turns RocksDB's errors into explained `StorageError`s.
  func explaining<R>(_ aim: String, _ key: Key? = nil, _ body: () throws -> R) throws(StorageError) -> R {
    do { return try body() } catch { throw .explaining(error, aim, key: key, place: path) }
  }
}
