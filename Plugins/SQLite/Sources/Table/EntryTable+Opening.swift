import StrataCore

extension EntryTable {
  /// Returns whether the table exists with its index, triggers and auxiliary tables. Throws if the table is not a
  /// store's.
  func isComplete(in connection: Connection) throws -> Bool {
    var objects: Set<String> = []
    var found: (type: String, sql: String)?
    try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master") { row throws(SQLiteError) in
      let type = try row.text(0) ?? ""
      let name = try row.text(1) ?? ""
      objects.insert(Self.object(type, name, on: try row.text(2) ?? ""))
      if ["table", "view"].contains(type), Self.folded(name) == Self.folded(self.name) {
        found = (type, try row.text(3) ?? "")
      }
    }
    guard let found else { return false }
    try refuseNewer(found.sql)
    var columns: [String] = []
    try connection.rows(#"SELECT name, upper(type), "notnull", pk FROM pragma_table_info(?1)"#, name) {
      row throws(SQLiteError) in
      columns.append("\(try row.text(0) ?? "") \(try row.text(1) ?? "") \(row.integer(2)) \(row.integer(3))")
    }
    guard found.type == "table", columns == Self.columns else {
      let names = columns.map { $0.prefix { $0 != " " } }.joined(separator: ", ")
      throw StorageError.invalidConfiguration.with(
        "the file has a \(found.type) \(table) that is not a store's: its columns are \(names); name another table"
      )
    }
    // A table made by hand may lack the index on the keys; then this fails.
    try connection.check(.put)
    return companions.allSatisfy(objects.contains)
  }

  /// Creates missing parts. Call it in a transaction: another process may have created them meanwhile.
  func create(in connection: Connection) throws {
    if try isComplete(in: connection) { return }
    try connection.run(creation)
    try connection.run(expiryIndexCreation)
    if isLimited { try connection.run(limitCreation) }
  }

  /// Returns `true`, or throws if the file has no such table.
  func isThere(in connection: Connection) throws -> Bool {
    if try isComplete(in: connection) { return true }
    do throws(SQLiteError) { try connection.check(.find) } catch {
      if !error.isAboutSchema { throw error }
      throw StorageError.notFound.with(
        "the file has no table \(String(reflecting: name)), and is only read; name another table")
    }
    return true
  }

  private func refuseNewer(_ sql: String) throws {
    guard let mark = sql.firstRange(of: Self.versionMark) else { return }
    let digits = sql[mark.upperBound...].prefix { $0.isASCII && $0.isNumber }
    guard let version = Int(digits), version > Self.version else { return }
    throw StorageError.newerFormat.with(
      "the table \(table) has version \(version) of the layout, and this Strata reads up to \(Self.version); "
        + "update Strata, or name another table")
  }

  /// Returns an object of the file as text. SQLite ignores the case of names, but only of Latin letters.
  static func object(_ type: String, _ name: String, on table: String) -> String {
    "\(type) \(folded(name)) on \(folded(table))"
  }

  static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
