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
/// programs. The store touches only its own tables, except that the file gets a write-ahead log, which it keeps. It
/// does not shrink: later writes use its free space, and `compact()` returns it. `leases` are locks on a file beside
/// the database, whose name has `-leases` behind it.
///
/// **Keys** may be any text, of any length. `keys()` omits rows whose key the key type cannot read; `removeAll()`
/// deletes them too.
///
/// **Reads** query the file each time, so they see writes of other processes, and they never wait for a lock. Many
/// entries are read from one state of the file. A failed read throws `.backendFailed`, or `.malformedFileAttributes` if
/// the file is damaged; the cause is an `SQLiteError`.
///
/// **Writes** are transactions: `setObjects` and `removeObjects` are done as a whole or not at all, and a failed write
/// leaves the old values. `SQLiteConfig.durability` determines what a write survives. A write waits up to `busyTimeout`
/// while another process writes, then throws `.backendFailed` with the cause `SQLITE_BUSY`. Conditional writes and
/// updates are atomic across processes.
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
public typealias SQLiteStorage<Key: StorageKey> = EngineStorage<Key, SQLiteEngine>

extension EngineStorage where Engine == SQLiteEngine {
  /// Opens a store, creating its file, its table and the folders above if they are missing.
  ///
  /// If it throws, nothing was changed. Throws `.malformedFileAttributes` if the file is no database, and
  /// `.backendFailed` if it cannot be written. Throws `.invalidConfiguration` if the table has other columns, and
  /// `.newerFormat` if it comes from a newer version of Strata.
  public convenience init(config: SQLiteConfig) throws {
    let engine: SQLiteEngine
    do { engine = try SQLiteEngine(config) } catch {
      throw StorageError.explaining(
        error, "open the store", key: nil, place: config.path, by: config.explained)
    }
    let path = engine.database.path
    self.init(
      place: path, expiry: config.expiry, engine: engine, table: engine, leaseFile: path + "-leases")
  }

  /// The absolute path of the database file.
  public var path: String { place }

  var entries: SQLiteEngine { engine }
}
