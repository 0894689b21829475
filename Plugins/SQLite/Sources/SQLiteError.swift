internal import CSQLite

/// An error reported by SQLite: the cause of the `StorageError`s of an SQLite store.
///
/// ```swift
/// do {
///   try pages.setObject(bytes, forKey: "index")
/// } catch let error as StorageError {
///   if let cause = error.cause as? SQLiteError { print(cause.name, cause.extendedCode) }   // "SQLITE_FULL" 13
/// }
/// ```
public struct SQLiteError: Error, Equatable {
  /// SQLite's result code, such as 5 for `SQLITE_BUSY`.
  public let code: Int32
  /// SQLite's extended result code, such as 261 for `SQLITE_BUSY_RECOVERY`.
  public let extendedCode: Int32
  /// SQLite's message, followed by the system's reason if there is one.
  public let message: String

  /// SQLite's name for the code.
  public var name: String { Self.names[code] ?? "SQLITE_UNKNOWN" }

  init(_ result: Int32, _ message: String) {
    code = result & 0xFF
    extendedCode = result
    self.message = message
  }

  /// Whether a statement did not match the existing tables.
  var isAboutSchema: Bool { code == SQLITE_ERROR }

  private static let names: [Int32: String] = [
    SQLITE_ERROR: "SQLITE_ERROR", SQLITE_INTERNAL: "SQLITE_INTERNAL", SQLITE_PERM: "SQLITE_PERM",
    SQLITE_ABORT: "SQLITE_ABORT", SQLITE_BUSY: "SQLITE_BUSY", SQLITE_LOCKED: "SQLITE_LOCKED",
    SQLITE_NOMEM: "SQLITE_NOMEM", SQLITE_READONLY: "SQLITE_READONLY", SQLITE_INTERRUPT: "SQLITE_INTERRUPT",
    SQLITE_IOERR: "SQLITE_IOERR", SQLITE_CORRUPT: "SQLITE_CORRUPT", SQLITE_NOTFOUND: "SQLITE_NOTFOUND",
    SQLITE_FULL: "SQLITE_FULL", SQLITE_CANTOPEN: "SQLITE_CANTOPEN", SQLITE_PROTOCOL: "SQLITE_PROTOCOL",
    SQLITE_SCHEMA: "SQLITE_SCHEMA", SQLITE_TOOBIG: "SQLITE_TOOBIG", SQLITE_CONSTRAINT: "SQLITE_CONSTRAINT",
    SQLITE_MISMATCH: "SQLITE_MISMATCH", SQLITE_MISUSE: "SQLITE_MISUSE", SQLITE_NOLFS: "SQLITE_NOLFS",
    SQLITE_AUTH: "SQLITE_AUTH", SQLITE_RANGE: "SQLITE_RANGE", SQLITE_NOTADB: "SQLITE_NOTADB",
  ]
}

extension SQLiteError: CustomStringConvertible {
  /// The name, the number and the message, in one line.
  public var description: String { "\(name) (\(extendedCode)): \(message)" }
}
