internal import CSQLite
public import StrataCore

extension EngineStorage where Engine == SQLiteEngine {
  /// Checks the whole file for damage, including tables of other programs. Returns one sentence per fault, at most a
  /// hundred, or an empty array if there is none.
  ///
  /// ```swift
  /// for fault in try pages.integrityCheck() { print(fault) }
  /// ```
  ///
  /// Reads the file once, which takes some seconds per gigabyte. Other operations can continue meanwhile.
  public func integrityCheck() throws -> [String] {
    try explaining("check the file") { try engine.database.integrityCheck() }
  }

  /// Rewrites the file without free pages, and gives their space back to the system.
  ///
  /// It needs room on the disk for a second copy, and other writers wait until it is done.
  public func compact() throws { try explaining("compact the file") { try engine.database.compact() } }
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
        // The check reached a page where it could not continue.
        findings.append(error.message)
      }
      return findings == ["ok"] ? [] : findings
    }
  }
}
