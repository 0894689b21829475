internal import CSQLite
import StrataEngines

/// A parameter of a statement. Its bytes must stay in place until the statement has run: SQLite makes no copy.
enum Parameter {
  /// A text in UTF-8, which may contain NUL bytes.
  case text(UnsafeBufferPointer<UInt8>)
  case bytes(UnsafeRawBufferPointer)
  case integer(Int64)
  /// An expiry, stored as seconds since 1970; NULL for never.
  case expiry(Expiry)
  case null

  /// Sets a parameter; the first has the index 1. Returns SQLite's code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    // The address of empty bytes may be `nil`, which SQLite would treat as NULL. It reads nothing from any other.
    let empty = UnsafeRawPointer(statement)
    switch self {
    case .text(let text):
      let start = (text.baseAddress.map { UnsafeRawPointer($0) } ?? empty).assumingMemoryBound(to: CChar.self)
      return sqlite3_bind_text64(statement, index, start, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
    case .bytes(let bytes):
      return sqlite3_bind_blob64(statement, index, bytes.baseAddress ?? empty, UInt64(bytes.count), nil)
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .expiry(let expiry):
      guard let seconds = expiry.secondsSince1970 else { return sqlite3_bind_null(statement, index) }
      return sqlite3_bind_double(statement, index, seconds)
    }
  }
}

/// The current row of a statement, with columns counted from 0. Valid until the statement's next step.
struct Row {
  let statement: OpaquePointer

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  /// Returns the expiry in a column of seconds since 1970; NULL is never. Returns `nil` if the value is stored in
  /// parts, so that the column has a text of `PartsExpiry`. Throws for other contents.
  func plainExpiry(_ column: Int32) throws(SQLiteError) -> Expiry? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_FLOAT, SQLITE_INTEGER:
      return Expiry(secondsSince1970: sqlite3_column_double(statement, column))
    case SQLITE_NULL: return .never
    default:
      _ = try partsExpiry(column)
      return nil
    }
  }

  /// Returns the expiry in a column.
  func expiry(_ column: Int32) throws(SQLiteError) -> Expiry {
    if let expiry = try plainExpiry(column) { return expiry }
    return try partsExpiry(column)
  }

  /// Returns the expiry of a value that is stored in parts.
  private func partsExpiry(_ column: Int32) throws(SQLiteError) -> Expiry {
    if let text = try text(column), let expiry = PartsExpiry.expiry(text) { return expiry }
    throw SQLiteError(SQLITE_MISMATCH, "the expiry of a row is text or bytes instead of a number")
  }

  /// Whether a column is NULL.
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func number(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  /// Returns the bytes of a column.
  func bytes(_ column: Int32) throws(SQLiteError) -> UnsafeRawBufferPointer {
    let start = try present(sqlite3_column_blob(statement, column))
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  /// Returns the text of a column; `nil` if it is not text or not valid UTF-8.
  func text(_ column: Int32) throws(SQLiteError) -> String? {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
    // Converts UTF-16 in the file to UTF-8.
    _ = try present(sqlite3_column_text(statement, column))
    return String(validating: try bytes(column), as: UTF8.self)
  }

  /// Returns the address, which is `nil` for an empty value. Throws if it is `nil` because memory is exhausted.
  private func present<Address>(_ address: Address?) throws(SQLiteError) -> Address? {
    if address == nil, let database = sqlite3_db_handle(statement),
      sqlite3_errcode(database) & 0xFF == SQLITE_NOMEM
    {
      throw SQLiteError(SQLITE_NOMEM, in: database)
    }
    return address
  }
}
