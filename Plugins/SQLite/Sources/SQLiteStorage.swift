#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store of bytes in a table of an SQLite database.
///
/// ```swift
/// let sessions = try SQLiteStorage<UUID>(config: SQLiteConfig(path: "/var/lib/shop/shop.db", table: "sessions"))
/// try sessions.setObject(json, forKey: id, expiry: .seconds(3600))
/// ```
///
/// **The file** is an ordinary database: the `sqlite3` tool shows the keys, the values and their expiry, and other
/// programs may read and change the rows. One file can hold several stores, each in its own table, and tables of other
/// programs. The store touches only its own tables, except that the file gets a write-ahead log, which it keeps.
///
/// **Keys** may be any text, of any length. `keys()` omits rows whose key the key type cannot read.
///
/// **Reads** query the file each time, so they see writes of other processes, and they never wait for a lock. A failed
/// read throws `.backendFailed`, or `.malformedFileAttributes` if the file is damaged; the cause is an `SQLiteError`.
///
/// **Writes** are transactions: `setObjects` and `removeObjects` are done as a whole or not at all, and a failed write
/// leaves the old values. `SQLiteConfig.durability` determines what a write survives. A write waits up to `busyTimeout`
/// while another process writes, then throws `.backendFailed` with the cause `SQLITE_BUSY`.
///
/// **Expiry** is exact to about a microsecond. `removeExpiredObjects()` finds expired entries by an index.
///
/// **The limit**, `maxSize`, holds after every write, also with several processes: triggers keep the total size in the
/// file. To make room, the store removes expired entries, then the least recently used. Reads do not write to the file:
/// the last few thousand uses are kept in memory and written when room is made. So a store knows the uses by other
/// processes only as of the last time that they made room.
///
/// **Threads**: every function may be called on any thread, which it blocks during disk access. Reads run in parallel
/// with each other and with a write; writes to one file run one after the other.
public final class SQLiteStorage<Key: StorageKey>: SyncStorageAware {
  /// The values are bytes; `transform(to:)` adds types on top.
  public typealias Value = Data

  let config: SQLiteConfig
  let entries: Entries
  private let fileLeases: FileLeases<Key>

  /// Opens a store, creating its file, its table and the folders above if they are missing.
  ///
  /// If it throws, nothing was changed. Throws `.malformedFileAttributes` if the file is no database, and
  /// `.backendFailed` if it cannot be written. Throws `.invalidConfiguration` if the table has other columns, and
  /// `.newerFormat` if it comes from a newer version of Strata.
  public init(config: SQLiteConfig) throws {
    self.config = config
    let entries = try config.explaining("open the store") { try Entries(config) }
    self.entries = entries
    fileLeases = FileLeases(scope: EntryTable.folded(config.table)) { entries.database.path + "-leases" }
  }

  /// The absolute path of the database file.
  public var path: String { entries.database.path }

  /// Leases of keys among the processes that use the table, by locks on a file beside the database, whose name has
  /// `-leases` behind it.
  public var leases: (any StorageLeasing<Key>)? { fileLeases }

  /// The clock of the configuration.
  public var clock: StorageClock { config.clock }

  func explaining<R>(_ aim: String, _ key: Key? = nil, _ body: () throws -> R) throws(StorageError) -> R {
    try config.explaining(aim, key, body)
  }
}
