internal import CSQLite
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connection to a database file, with the statements of one table. Each statement is prepared at its first use.
///
/// Unchecked: one thread uses a connection at a time, so SQLite's own locks are off. The writer is used only under the
/// lock of the file, a reader only by the caller that took it from the pool.
final class Connection: @unchecked Sendable {
  private let handle: OpaquePointer
  private let table: EntryTable
  private var statements = [OpaquePointer?](repeating: nil, count: Query.allCases.count)

  /// What a connection may do to the file.
  enum Access { case read, write, create }

  /// Opens the file without reading it.
  init(_ path: String, for table: EntryTable, _ access: Access) throws(SQLiteError) {
    let mode =
      switch access {
      case .read: SQLITE_OPEN_READONLY
      case .write: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    // Without SQLite's locks, since one thread uses it at a time.
    let flags = mode | SQLITE_OPEN_NOMUTEX
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else { throw SQLiteError(SQLITE_NOMEM, "out of memory") }
    handle = opened
    self.table = table
    sqlite3_extended_result_codes(handle, 1)
    if result != SQLITE_OK { throw failure(result) }
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Whether SQLite could open the file only for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The path of the file with all links resolved, so that one file has one path.
  var resolvedPath: String { sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? "" }

  /// Whether the file no longer has the name by which it was opened. Writes to it would be lost.
  var hasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Sets how long SQLite retries while another process holds a lock.
  func waitForLocks(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    sqlite3_busy_timeout(handle, Int32(min(max(milliseconds, 0), Double(Int32.max)).rounded()))
  }

  /// Runs SQL text and ignores the rows it returns.
  func run(_ sql: String) throws(SQLiteError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    if result != SQLITE_OK { throw failure(result) }
  }

  /// Runs an SQL statement once and passes each row to `row`.
  func rows(_ sql: String, _ text: String? = nil, _ row: (borrowing Statement) throws(SQLiteError) -> Void)
    throws(SQLiteError)
  {
    let statement = Statement(try prepare(sql, keeping: false), of: self)
    defer { sqlite3_finalize(statement.handle) }
    if var text {
      let result = text.withUTF8 { bytes in
        // SQLite copies the text, because it outlives this closure.
        sqlite3_bind_text64(
          statement.handle, 1, bytes.baseAddress, UInt64(bytes.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
      }
      if result != SQLITE_OK { throw failure(result) }
    }
    while try statement.step() { try row(statement) }
  }

  /// Passes a kept statement to `body`, and resets it afterwards for the next use.
  func use<R>(_ query: Query, _ body: (borrowing Statement) throws -> R) throws -> R {
    let statement = Statement(try prepared(query), of: self)
    defer { sqlite3_reset(statement.handle) }
    return try body(statement)
  }

  /// Runs a kept statement, with parameters set by `bind`.
  func run(_ query: Query, _ bind: (borrowing Statement) throws -> Void = { _ in }) throws {
    try use(query) { statement in
      try bind(statement)
      while try statement.step() {}
    }
  }

  /// Runs `body` in a transaction that is committed as a whole or rolled back.
  func transaction<R>(_ begin: Query, _ body: () throws -> R) throws -> R {
    try run(begin)
    do {
      let result = try body()
      try run(.commit)
      return result
    } catch {
      // SQLite has already ended some transactions itself, for example on a full disk.
      if isInTransaction { try run(.rollback) }
      throw error
    }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Prepares a statement, which throws if it does not match the table.
  func check(_ query: Query) throws(SQLiteError) { _ = try prepared(query) }

  private func prepared(_ query: Query) throws(SQLiteError) -> OpaquePointer {
    if let known = statements[query.rawValue] { return known }
    let new = try prepare(table.sql(of: query), keeping: true)
    statements[query.rawValue] = new
    return new
  }

  private func prepare(_ sql: String, keeping: Bool) throws(SQLiteError) -> OpaquePointer {
    var statement: OpaquePointer?
    let flags = keeping ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let result = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
    guard result == SQLITE_OK, let statement else { throw failure(result) }
    return statement
  }

  /// Throws if memory ran out, for calls without a result code.
  func throwIfOutOfMemory() throws(SQLiteError) {
    if sqlite3_errcode(handle) & 0xFF == SQLITE_NOMEM { throw failure(SQLITE_NOMEM) }
  }

  /// Returns the error of the last call, with SQLite's message and the system's.
  func failure(_ result: Int32) -> SQLiteError {
    var message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
    let isSystems = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(result & 0xFF)
    let reason = isSystems ? sqlite3_system_errno(handle) : 0
    if reason != 0, let text = strerror(reason) { message += ", \(String(cString: text))" }
    return SQLiteError(result, message)
  }
}
