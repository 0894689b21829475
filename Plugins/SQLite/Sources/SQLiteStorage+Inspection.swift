internal import CSQLite

extension SQLiteStorage {
  /// Looks through the whole file for damage, the tables of others included: what is wrong, a sentence each, at most a
  /// hundred.
  ///
  /// Empty if all is well. Reads the file once, some seconds a gigabyte; nobody need wait meanwhile.
  public func integrityCheck() throws -> [String] {
    try explaining("check the file") { try entries.database.integrityCheck() }
  }
}

extension Database {
  fileprivate func integrityCheck() throws -> [String] {
    try read { connection in
      var findings: [String] = []
      do {
        try connection.rows("PRAGMA integrity_check(100)") { row throws(SQLiteError) in
          findings.append(try row.text(0) ?? "")
        }
      } catch let error as SQLiteError where error.code == SQLITE_CORRUPT {
        // The check itself came upon a page where it could not go on.
        findings.append(error.message)
      }
      return findings == ["ok"] ? [] : findings
    }
  }
}
