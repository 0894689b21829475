internal import CSQLite
public import StrataEngines

/// A store of bytes in a table of an SQLite database.
///
/// ```swift
/// let sessions = try SQLiteStorage<UUID>(config: SQLiteConfig(path: "/var/lib/shop/shop.db", table: "sessions"))
/// try sessions.setObject(json, forKey: id, expiry: .seconds(3600))
/// ```
///
/// **The file** is an ordinary database: the `sqlite3` tool shows the keys, the values and their expiry, and other
/// programs may read and change the rows. It can hold several stores and tables of other programs. Beside it are its
/// write-ahead log and the file of `leases`, which ends in `-leases`. It shrinks only in `compact()`.
///
/// Everything that `EngineStorage` says of keys and conditional writes holds here. `keys()` omits rows whose key the
/// key type cannot read; `removeAll()` deletes them too.
///
/// **Reads** query the file each time, so they see writes of other processes, and they never wait for a lock. Many
/// entries are read from one state of the file. A failed read throws `.backendFailed`, or `.malformedFileAttributes` if
/// the file is damaged; the cause is an `SQLiteError`.
///
/// **Writes** are transactions: a batch is stored as a whole or not at all, and a failed write leaves the old values.
/// `SQLiteConfig.durability` determines what a write survives. A write waits up to `busyTimeout` while another process
/// writes, then throws `.backendFailed` with the cause `SQLITE_BUSY`. Conditional writes are atomic across processes.
/// Expiry is exact to about a microsecond, and an index finds the entries that have expired.
///
/// **The limit**, `maxSize`, holds after every write, also with several processes: triggers keep the total size in the
/// file. To make room, the store removes expired entries, then the least recently used. The last few thousand uses are
/// kept in memory until then, so those by another process are known only since it last made room.
///
/// **Threads**: every function blocks its thread during disk access. Reads run in parallel, also with a write.
public typealias SQLiteStorage<Key: StorageKey> = EngineStorage<Key, SQLiteEngine>

extension EngineStorage where Engine == SQLiteEngine {
  /// Opens a store, creating its file, its table and the folders above if they are missing.
  ///
  /// Changes nothing if it throws: `.malformedFileAttributes` if the file is no database, `.backendFailed` if it cannot
  /// be written, `.invalidConfiguration` if the table has other columns, `.newerFormat` if a newer Strata made it.
  public convenience init(config: SQLiteConfig) throws {
    try self.init(config, leases: "-leases", by: config.explained, open: SQLiteEngine.init)
  }

  /// The absolute path of the database file.
  public var path: String { place }

  /// Checks the whole file for damage, including tables of other programs. Returns one sentence per fault, at most a
  /// hundred, or an empty array if there is none.
  ///
  /// ```swift
  /// for fault in try pages.integrityCheck() { print(fault) }
  /// ```
  ///
  /// Reads the file once, which takes some seconds per gigabyte. Other operations can continue meanwhile.
  public func integrityCheck() throws -> [String] {
    try explaining("check the file") {
      try engine.read(together: false) { reader in
        var findings: [String] = []
        do {
          try reader.connection.run(sql: "PRAGMA integrity_check(100)") {
            findings.append(try $0.text(0) ?? "")
          }
        } catch let error as SQLiteError where error.code == SQLITE_CORRUPT {
          // The check stops at a page that it cannot read.
          findings.append(error.message)
        }
        return findings == ["ok"] ? [] : findings
      }
    }
  }

  /// Rewrites the file without free pages, and gives their space back to the system.
  ///
  /// It needs room on the disk for a second copy, and other writers wait until it is done.
  public func compact() throws {
    try explaining("compact the file") {
      // The file shrinks when its write-ahead log has been moved into it.
      try engine.writing { try $0.run(script: "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") }
    }
  }
}
