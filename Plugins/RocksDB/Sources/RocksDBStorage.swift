#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import CRocksDB
public import StrataCore

/// A store of bytes in a RocksDB database: a column family a store.
///
/// ```swift
/// let readings = try RocksDBStorage<String>(config: RocksDBConfig(path: "/var/lib/app/db", family: "readings"))
/// try readings.setObject(bytes, forKey: "2026-03-01T12:00:00Z kitchen", expiry: .seconds(7 * 86_400))
/// ```
///
/// **Keys** may be any text, of any length. They are kept in the order of Swift's strings: `keys()` lists them so, and
/// `keys(from:until:)` a part of them.
///
/// **Reads** copy a value once, out of RocksDB's memory, and look into tables on disk only where a filter says that the
/// key may be there. RocksDB checks what it reads: damage throws `.malformedFileAttributes`.
///
/// **Writes** read nothing. A batch is one write: it is there whole or not at all, for other threads and after a crash.
/// What a write survives says
/// `RocksDBConfig.Durability`. A write can take longer, seconds in the worst case, when RocksDB cannot write tables as
/// fast as entries come.
///
/// **Expiry** is kept to the bit of the date. What expires is entered in an index in the same write, and
/// `removeExpiredObjects()` costs what it removes, and a look at the keys that expire within the hour.
///
/// **The limit**, `maxSize`, holds after every write; see there for its cost.
///
/// **Threads**: every function may be called on any thread, and waits for the disk with it. Reads never wait for
/// writes.
///
/// **Sharing**: any number of stores in one process may stand over one folder, and over one family, opened in any
/// order. A second process cannot open the folder meanwhile: it gets `.backendFailed`, which says so. Column families,
/// and records in a family, that are not Strata's are left alone.
public final class RocksDBStorage<Key: StorageKey>: SyncStorageAware {
  /// A RocksDB store knows only bytes; types are a matter of the link above it.
  public typealias Value = Data

  let config: RocksDBConfig
  let family: Family
  /// Never changed; freed with the store. RocksDB only reads it.
  nonisolated(unsafe) let writing: OpaquePointer
  private let lease: EngineLease<Database>

  /// Opens a store, and makes its folder, its database and its family if need be.
  ///
  /// Throws `.invalidConfiguration` if the path or the family cannot be, or this RocksDB lacks the compression;
  /// `.malformedFileAttributes` if the database is damaged; and `.backendFailed` if it cannot be opened, because
  /// another process has it open, say.
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

  /// The path of the folder that holds the database, absolute and without links.
  public var path: String { lease.engine.path }

  /// The clock of the configuration.
  public var clock: StorageClock { config.clock }

  /// Waits until all that was written is on the disk, safe from a loss of power, whatever the durability.
  public func flush() throws {
    try explaining("flush the database") {
      if config.durability == .off { try family.flush() } else { try lease.engine.syncLog() }
    }
  }

  /// What RocksDB can tell of itself. It takes some microseconds for each level, and reads no entries.
  public var statistics: RocksDBStatistics { RocksDBStatistics(of: family, counters: counters) }

  /// What RocksDB counted since the database was opened, as lines of text.
  var counters: String { lease.engine.counters() }

  /// The limit to the size of all entries; `nil` for none.
  var limit: Int? { config.maxSize == 0 ? nil : Int(clamping: config.maxSize) }

  /// Turns what RocksDB says into what a user of the store can understand.
  func explaining<R>(_ aim: String, _ key: Key? = nil, _ body: () throws -> R) throws(StorageError) -> R {
    do { return try body() } catch { throw .explaining(error, aim, key: key, place: path) }
  }
}
