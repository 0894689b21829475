internal import CSQLite
import StrataEngines

extension Connection {
  /// Makes the file one that a store can write to. Returns whether it has all parts of the table; if not, `createTable`
  /// has to make them.
  func prepareFile(_ config: SQLiteConfig) throws -> Bool {
    // SQLite silently opens a file that it cannot write for reading, and would only fail at the first write.
    if isReadOnly {
      throw StorageError.backendFailed.with(
        "the file is read-only; give it write permission, choose another path, or set `isReadOnly`")
    }
    let isComplete = try isTableComplete() ?? false
    try useWriteAheadLog(until: .now + .seconds(config.busyTimeout))
    try run(script: config.durability.pragmas)
    return isComplete
  }

  /// Creates missing parts. Call it in a transaction: another process may have created them meanwhile.
  func createTable() throws {
    if try isTableComplete() == true { return }
    try run(script: table.creation)
    if table.isLimited { try run(script: table.limitCreation) }
  }

  /// Throws if the file has no such table. Its index, triggers and auxiliary tables are not needed for reading.
  func requireTable() throws {
    if try isTableComplete() != nil { return }
    throw StorageError.notFound.with(
      "the file has no table \(String(reflecting: table.name)), and the store is read-only; choose another")
  }

  /// Returns whether the table has its index, triggers and auxiliary tables; `nil` if there is no table. Throws if the
  /// table is not a store's.
  private func isTableComplete() throws -> Bool? {
    var objects: [String: String] = [:]
    let schema =
      "SELECT type || ' ' || name || iif(name = tbl_name, '', ' on ' || tbl_name), sql FROM sqlite_master"
    try run(sql: schema) { objects[EntryTable.folded(try $0.text(0) ?? "")] = try $0.text(1) ?? "" }
    let name = EntryTable.folded(table.name)
    guard let sql = objects["table \(name)"] ?? objects["view \(name)"] else { return nil }
    let digits = sql.firstRange(of: EntryTable.versionMark).map {
      sql[$0.upperBound...].prefix { $0.isASCII && $0.isNumber }
    }
    if let version = digits.flatMap({ Int($0) }), version > EntryTable.version {
      throw StorageError.newerFormat.with(
        "the table \(String(reflecting: table.name)) has version \(version) of the layout, and this Strata reads up to "
          + "\(EntryTable.version); update Strata, or choose another table")
    }
    var columns: [String] = []
    try Array(name.utf8).withUnsafeBufferPointer { name in
      let list =
        #"SELECT name || ' ' || upper(type) || ' ' || "notnull" || ' ' || pk FROM pragma_table_info(?1)"#
      try run(sql: list, [.text(name)]) { columns.append(try $0.text(0) ?? "") }
    }
    // The columns of a view never have a primary key.
    if columns != EntryTable.columns {
      let names = columns.map { $0.prefix { $0 != " " } }.joined(separator: ", ")
      throw StorageError.invalidConfiguration.with(
        "the table or view \(String(reflecting: table.name)) in the file is not a store's: its columns are \(names); "
          + "name another table")
    }
    // Fails if the table was created by hand without the unique index on its keys.
    try prepared(.put)
    return table.companions.allSatisfy { objects[$0] != nil }
  }

  /// Switches the file to a write-ahead log, with which readers and a writer do not wait for each other. The mode is
  /// permanent.
  private func useWriteAheadLog(until deadline: ContinuousClock.Instant) throws {
    var mode: String?
    while mode == nil {
      do {
        try run(sql: "PRAGMA journal_mode = WAL") { mode = try $0.text(0) ?? "" }
      } catch let error as SQLiteError where error.code == SQLITE_BUSY && ContinuousClock.now < deadline {
        // SQLite does not wait for this lock itself, for which processes compete that open a new file.
        sqlite3_sleep(1)
      }
    }
    if mode != "wal" {
      throw StorageError.backendFailed.with(
        "the file cannot have a write-ahead log (its journal mode stays \(String(reflecting: mode ?? ""))): "
          + "a network file system does not support it; choose a path on a local disk")
    }
  }
}

extension SQLiteConfig.Durability {
  /// The settings of the connection that writes. The cases have SQLite's names.
  ///
  /// Apple's disks keep written data in a cache, which only a full sync empties; on other systems that setting has no
  /// effect. Without a limit the log would keep the size of the largest transaction so far.
  var pragmas: String {
    """
    PRAGMA synchronous = \(self); PRAGMA fullfsync = \(self == .full); PRAGMA checkpoint_fullfsync = ON;
    PRAGMA journal_size_limit = \(16 << 20)
    """
  }
}
