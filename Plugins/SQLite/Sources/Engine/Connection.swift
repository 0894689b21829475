internal import CSQLite

/// A connection to a database file, with the statements of one table. Each statement is prepared at its first use.
///
/// Unchecked: one thread uses a connection at a time, so SQLite's own locks are off. The writer is used only under the
/// lock of the file, a reader only by the caller that has its lane.
final class Connection: @unchecked Sendable {
  private let handle: OpaquePointer
  let table: EntryTable
  /// The rows that the running transaction has used, in a table with a limit; `nil` once the file has their order.
  var used: [Int64]? = []
  private var statements = [OpaquePointer?](repeating: nil, count: Query.allCases.count)

  /// Opens the file, with further flags of SQLite if it may be written to. Does not read it.
  init(_ config: SQLiteConfig, _ flags: Int32) throws {
    var opened: OpaquePointer?
    let flags = config.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | flags
    let result = sqlite3_open_v2(config.path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw SQLiteError(SQLITE_NOMEM, "out of memory") }
    handle = opened
    table = EntryTable(name: config.table, isLimited: config.maxSize > 0)
    sqlite3_extended_result_codes(handle, 1)
    try check(result)
    waitForLocks(config.busyTimeout)
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Whether SQLite could open the file only for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Sets how many seconds SQLite retries while another process holds a lock; fewer than 0 are none.
  func waitForLocks(_ time: Double) { sqlite3_busy_timeout(handle, Int32(max(time * 1000, 0).rounded())) }

  /// Runs SQL statements, and ignores the rows they return.
  func run(script: String) throws { try check(sqlite3_exec(handle, script, nil, nil, nil)) }

  /// Runs an SQL statement once, and passes each row to `row`.
  func run(sql: String, _ parameters: [Parameter] = [], row: (Row) throws -> Void) throws {
    let statement = try prepare(sql, 0)
    defer { sqlite3_finalize(statement) }
    try run(statement, parameters) { columns in
      try row(columns)
      return true
    }
  }

  /// Runs a prepared statement, and passes its rows to `row` until `row` returns `false`.
  func run(_ query: Query, _ parameters: [Parameter] = [], row: (Row) throws -> Bool = { _ in true }) throws {
    let statement = try prepared(query)
    defer { sqlite3_reset(statement) }
    try run(statement, parameters, row)
  }

  /// Runs a prepared statement, and returns the value that `row` reads from the first row.
  func first<R>(_ query: Query, _ parameters: [Parameter] = [], row: (Row) throws -> R) throws -> R? {
    var found: R?
    try run(query, parameters) { columns in
      found = try row(columns)
      return false
    }
    return found
  }

  private func run(
    _ statement: OpaquePointer, _ parameters: [Parameter], _ row: (Row) throws -> Bool
  ) throws {
    for (index, parameter) in parameters.enumerated() {
      try check(parameter.bind(to: statement, at: Int32(index + 1)))
    }
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return }
      if result != SQLITE_ROW { throw SQLiteError(result, in: handle) }
      if try !row(Row(statement: statement)) { return }
    }
  }

  /// Returns the prepared statement of a query. Throws if the SQL does not match the table's layout.
  @discardableResult
  func prepared(_ query: Query) throws -> OpaquePointer {
    if let known = statements[query.rawValue] { return known }
    let new = try prepare(table.sql(query.sql), UInt32(SQLITE_PREPARE_PERSISTENT))
    statements[query.rawValue] = new
    return new
  }

  private func prepare(_ sql: String, _ flags: UInt32) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
    guard let statement else { throw SQLiteError(SQLITE_ERROR, "the SQL text contains no statement") }
    return statement
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
      if sqlite3_get_autocommit(handle) == 0 { try run(.rollback) }
      throw error
    }
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    if result != SQLITE_OK { throw SQLiteError(result, in: handle) }
  }
}
