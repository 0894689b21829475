internal import CSQLite
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A prepared statement in use. Parameters count from 1, columns from 0.
struct Statement: ~Copyable {
  let handle: OpaquePointer
  private unowned let connection: Connection

  init(_ handle: OpaquePointer, of connection: Connection) {
    self.handle = handle
    self.connection = connection
  }

  /// Advances to the next row. Returns `false` when the statement is done.
  func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw connection.failure(result)
  }

  // MARK: Parameters

  /// Sets a text parameter, which may hold NUL bytes. It must stay in place until the statement has run: SQLite makes
  /// no copy.
  func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) throws(SQLiteError) {
    let start = text.baseAddress.map { UnsafeRawPointer($0) } ?? empty
    try check(
      sqlite3_bind_text64(
        handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil,
        UInt8(SQLITE_UTF8)))
  }

  /// Sets a bytes parameter. It must stay in place until the statement has run: SQLite makes no copy.
  func bind(bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
    let start = bytes.baseAddress ?? empty
    try check(sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), nil))
  }

  func bind(_ number: Double?, at index: Int32) throws(SQLiteError) {
    if let number {
      try check(sqlite3_bind_double(handle, index, number))
    } else {
      try check(sqlite3_bind_null(handle, index))
    }
  }

  func bind(_ number: Int64, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, index, number))
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    if result != SQLITE_OK { throw connection.failure(result) }
  }

  /// The address of empty bytes, where nothing is read: SQLite would treat a null pointer as NULL.
  private var empty: UnsafeRawPointer { UnsafeRawPointer(handle) }

  // MARK: Columns

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns a number, or `nil` for NULL. Throws for other types.
  func number(_ column: Int32) throws(SQLiteError) -> Double? {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(handle, column)
    case SQLITE_NULL: return nil
    default: throw SQLiteError(SQLITE_MISMATCH, "a row holds text or bytes where a number must be")
    }
  }

  /// The bytes of a column, valid until the next step. Empty if memory ran out.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Returns the bytes of a column, copied once.
  func data(_ column: Int32) throws(SQLiteError) -> Data {
    let bytes = bytes(column)
    if let start = bytes.baseAddress { return Data(bytes: start, count: bytes.count) }
    // A null pointer means an empty value or a lack of memory.
    try connection.throwIfOutOfMemory()
    return Data()
  }

  /// Returns the text of a column; `nil` if it is not text or not valid UTF-8.
  func text(_ column: Int32) throws(SQLiteError) -> String? {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT else { return nil }
    guard let start = sqlite3_column_text(handle, column) else {
      try connection.throwIfOutOfMemory()
      return nil
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    return String(validating: bytes, as: UTF8.self)
  }
}
