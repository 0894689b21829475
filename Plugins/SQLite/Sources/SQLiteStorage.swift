internal import CSQLite
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
/// the database, named like it with `-leases` appended.
///
/// Keys and conditional writes behave as documented for `EngineStorage`. `keys()` omits rows whose key the key type
/// cannot read; `removeAll()` deletes them too.
///
/// **Reads** query the file each time, so they see writes of other processes, and they never wait for a lock. Many
/// entries are read from one state of the file. A failed read throws `.backendFailed`, or `.malformedFileAttributes` if
/// the file is damaged; the cause is an `SQLiteError`.
///
/// **Writes** are transactions: `setObjects` and `removeObjects` take effect as a whole or not at all, and a failed
/// write leaves the old values. `SQLiteConfig.durability` selects the failures that a write survives. A write waits up
/// to `busyTimeout` while another process writes, then throws `.backendFailed` with the cause `SQLITE_BUSY`.
/// Conditional writes are atomic across processes.
///
/// **Expiry** is exact to about a microsecond. `removeExpiredObjects()` finds expired entries by an index.
///
/// **The limit**, `maxSize`, holds after every write, also with several processes: triggers keep the total size in the
/// file. To make room, the store removes expired entries, then the least recently used. Reads do not write to the file:
/// the last few thousand uses are kept in memory and written when room is made. So a store learns of reads by other
/// processes only when those processes make room.
///
/// **Threads**: every function blocks its thread during disk access. Reads run in parallel with each other and with a
/// write.
public typealias SQLiteStorage<Key: StorageKey> = EngineStorage<Key, SQLiteEngine>

extension EngineStorage where Engine == SQLiteEngine {
  /// Opens a store, creating its file, its table and the folders above if they are missing.
  ///
  /// If it throws, nothing was changed. Throws `.malformedFileAttributes` if the file is not a database, and
  /// `.backendFailed` if it cannot be written. Throws `.invalidConfiguration` if the table has other columns, and
  /// `.newerFormat` if it comes from a newer version of Strata.
  public convenience init(config: SQLiteConfig) throws {
    try self.init(opening: config.path, expiry: config.expiry, by: config.explained) {
      let engine = try SQLiteEngine(config)
      return (engine, engine.path, leaseFile: engine.path + "-leases")
    }
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
      try engine.read { connection in
        var findings: [String] = []
        do {
          try connection.run(sql: "PRAGMA integrity_check(100)") { findings.append(try $0.text(0) ?? "") }
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
