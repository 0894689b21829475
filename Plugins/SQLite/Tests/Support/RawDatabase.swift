import CSQLite
import StrataCore
import TestSupport

/// A database as another program sees it, through SQLite's own API.
///
/// Unchecked: SQLite has a lock of its own for each connection that is opened without `SQLITE_OPEN_NOMUTEX`.
final class RawDatabase: @unchecked Sendable {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let result = sqlite3_open(path, &opened)
    guard let opened, result == SQLITE_OK else { throw RawFailure(message: "cannot open \(path)") }
    handle = opened
    // Another connection that closes locks the file for a moment.
    sqlite3_busy_timeout(handle, 5000)
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) throws {
    if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK { throw RawFailure(message: message) }
  }

  /// Returns the rows of a query, each as the texts of its columns separated by bars.
  func rows(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw RawFailure(message: message)
    }
    var rows: [String] = []
    var result = sqlite3_step(statement)
    while result == SQLITE_ROW {
      let columns = (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
      }
      rows.append(columns.joined(separator: "|"))
      result = sqlite3_step(statement)
    }
    guard result == SQLITE_DONE else { throw RawFailure(message: message) }
    return rows
  }

  private var message: String { String(cString: sqlite3_errmsg(handle)) }
}

struct RawFailure: Error { let message: String }
