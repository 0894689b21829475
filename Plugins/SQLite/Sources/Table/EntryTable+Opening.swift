internal import CSQLite
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EntryTable {
  /// Prepares the file for a store. Returns `false` if parts of the table are missing; `create` then has to make them.
  func prepare(
    _ writer: Connection, _ durability: SQLiteConfig.Durability, within timeout: Duration
  ) throws -> Bool {
    // SQLite silently opens a file that it cannot write for reading, and would only fail at the first write.
    if writer.isReadOnly {
      throw StorageError.backendFailed.with(
        "the file is read-only; give it write permission, choose another path, or set `isReadOnly`")
    }
    let isComplete = try isComplete(in: writer)
    try useWriteAheadLog(writer, until: .now + timeout)
    try writer.run(script: durability.pragmas)
    return isComplete
  }

  /// Creates missing parts. Call it in a transaction: another process may have created them meanwhile.
  func create(in connection: Connection) throws {
    if try isComplete(in: connection) { return }
    try connection.run(script: creation)
    if isLimited { try connection.run(script: limitCreation) }
  }

  /// Returns `true`, or throws if the file has no such table.
  func requirePresence(in connection: Connection) throws -> Bool {
    if try isComplete(in: connection) { return true }
    do { try connection.prepared(.find) } catch let error as SQLiteError where error.code == SQLITE_ERROR {
      throw StorageError.notFound.with(
        "the file has no table \(String(reflecting: name)), and the store is read-only; choose another table")
    }
    return true
  }

  /// Returns whether the table exists with its index, triggers and auxiliary tables. Throws if a table of that name
  /// does not belong to a store.
  private func isComplete(in connection: Connection) throws -> Bool {
    var objects: Set<String> = []
    var found: (type: String, sql: String)?
    let schema = "SELECT type, name, type || ' ' || name || ' on ' || tbl_name, sql FROM sqlite_master"
    try connection.run(sql: schema) { row in
      let (type, name) = (try row.text(0) ?? "", try row.text(1) ?? "")
      objects.insert(Self.folded(try row.text(2) ?? ""))
      if ["table", "view"].contains(type), Self.folded(name) == Self.folded(self.name) {
        found = (type, try row.text(3) ?? "")
      }
    }
    guard let found else { return false }
    try refuseNewer(found.sql)
    var columns: [String] = []
    try Array(name.utf8).withUnsafeBufferPointer { name in
      let list =
        #"SELECT name || ' ' || upper(type) || ' ' || "notnull" || ' ' || pk FROM pragma_table_info(?1)"#
      try connection.run(sql: list, [.text(name)]) { columns.append(try $0.text(0) ?? "") }
    }
    guard found.type == "table", columns == Self.columns else {
      let names = columns.map { $0.prefix { $0 != " " } }.joined(separator: ", ")
      throw StorageError.invalidConfiguration.with(
        "the file has a \(found.type) \(String(reflecting: name)) that is not a store's: its columns are \(names); "
          + "name another table")
    }
    // Fails if the table was created by hand without the unique index on its keys.
    try connection.prepared(.put)
    return companions.allSatisfy(objects.contains)
  }

  private func refuseNewer(_ sql: String) throws {
    guard let mark = sql.firstRange(of: Self.versionMark) else { return }
    let digits = sql[mark.upperBound...].prefix { $0.isASCII && $0.isNumber }
    guard let version = Int(digits), version > Self.version else { return }
    throw StorageError.newerFormat.with(
      "the table \(String(reflecting: name)) has version \(version) of the layout, and this Strata reads up to "
        + "\(Self.version); update Strata, or choose another table")
  }

  /// Switches the file to a write-ahead log, with which readers and a writer do not wait for each other. The mode is
  /// permanent.
  private func useWriteAheadLog(_ writer: Connection, until deadline: ContinuousClock.Instant) throws {
    var mode = ""
    while true {
      do {
        try writer.run(sql: "PRAGMA journal_mode = WAL") { mode = try $0.text(0) ?? "" }
        break
      } catch let error as SQLiteError where error.code == SQLITE_BUSY && ContinuousClock.now < deadline {
        // SQLite does not wait for this lock itself. Two processes that open a new file at the same moment compete for
        // it.
        usleep(1000)
      }
    }
    if mode != "wal" {
      throw StorageError.backendFailed.with(
        "the file cannot have a write-ahead log (its journal mode stays \(String(reflecting: mode))): "
          + "a network file system does not support it; choose a path on a local disk")
    }
  }
}

extension SQLiteConfig.Durability {
  /// The settings of the connection for writing, as SQL.
  var pragmas: String {
    // Apple's disks keep written data in a cache, which only a full sync empties. On other systems the setting has no
    // effect.
    let durability =
      switch self {
      case .full: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON"
      case .normal: "PRAGMA synchronous = NORMAL; PRAGMA checkpoint_fullfsync = ON"
      case .off: "PRAGMA synchronous = OFF"
      }
    // Without a limit the log would keep the size of the largest transaction so far.
    return "\(durability); PRAGMA journal_size_limit = \(16 << 20)"
  }
}
