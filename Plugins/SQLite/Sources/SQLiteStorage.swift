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
/// **The file** is an ordinary database: the `sqlite3` tool shows the keys, the values and when they expire, and other
/// programs may read and change the rows. Several stores may have tables in one file, beside tables that are none of
/// Strata's; nothing but the store's own is touched, except that the file gets a write-ahead log, which it keeps.
///
/// **Keys** may be any text, of any length. Rows whose key the key type cannot read are left out of `keys()`.
///
/// **Reads** ask the file each time, so they see what other processes have written, and they wait for nobody. What
/// cannot be read throws `.backendFailed`, or `.malformedFileAttributes` if the file is damaged; the cause is an
/// `SQLiteError`.
///
/// **Writes** are transactions: `setObjects` and `removeObjects` are done as a whole or not at all, and a write that
/// fails leaves what was there. What a write survives is said by `SQLiteConfig.durability`. A write waits up to
/// `busyTimeout` while another process writes, then throws `.backendFailed` with the cause `SQLITE_BUSY`.
///
/// **Expiry** is kept to the microsecond or so. `removeExpiredObjects()` finds what has expired by an index.
///
/// **The limit**, `maxSize`, holds after every write, whichever process wrote before: the sum of all sizes stands in
/// the file, kept by triggers. Room is made by removing what has expired, then what was used the longest ago. Uses are
/// noted in memory, the last few thousand of them, and written when room is made: a read is never a write. So each
/// store knows its own uses, and those of other processes as of the last time that they made room.
///
/// **Threads**: every function may be called on any thread and waits for the disk with it. Reads run in parallel with
/// each other and with a write; writes to one file run one after the other.
public final class SQLiteStorage<Key: StorageKey>: SyncStorageAware {
  /// An SQLite store knows only bytes; types are a matter of the link above it.
  public typealias Value = Data

  let config: SQLiteConfig
  let entries: Entries
  private let fileLeases: FileLeases<Key>

  /// Opens a store, and makes its file, its table and the folders above if need be.
  ///
  /// Throws and changes nothing if the file is no database (`.malformedFileAttributes`), cannot be written
  /// (`.backendFailed`), has a table of this name that is no store's (`.invalidConfiguration`), or one from a newer
  /// version of Strata (`.newerFormat`).
  public init(config: SQLiteConfig) throws {
    self.config = config
    let entries = try config.explaining("open the store") { try Entries(config) }
    self.entries = entries
    fileLeases = FileLeases(scope: EntryTable.folded(config.table)) { entries.database.path + "-leases" }
  }

  /// The path of the database file, from the root.
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
