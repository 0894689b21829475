internal import CSQLite
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An error reported by SQLite: the cause of the `StorageError`s of an SQLite store.
///
/// ```swift
/// do {
///   try pages.setObject(bytes, forKey: "index")
/// } catch let error as StorageError {
///   if let cause = error.cause as? SQLiteError { print(cause.name, cause.extendedCode) }   // "SQLITE_FULL" 13
/// }
/// ```
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// SQLite's result code, such as 5 for `SQLITE_BUSY`.
  public let code: Int32
  /// SQLite's extended result code, such as 261 for `SQLITE_BUSY_RECOVERY`.
  public let extendedCode: Int32
  /// SQLite's message, followed by the system's reason if there is one.
  public let message: String

  /// SQLite's name for the code.
  public var name: String { Self.names[code] ?? "SQLITE_UNKNOWN" }

  /// The name, the number and the message, in one line.
  public var description: String { "\(name) (\(extendedCode)): \(message)" }

  init(_ result: Int32, _ message: String) {
    code = result & 0xFF
    extendedCode = result
    self.message = message
  }

  /// The error of the last call, with SQLite's message and the system's.
  init(_ result: Int32, in database: OpaquePointer) {
    var message = sqlite3_errmsg(database).map { String(cString: $0) } ?? ""
    let isSystems = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(result & 0xFF)
    let reason = isSystems ? sqlite3_system_errno(database) : 0
    if reason != 0, let text = strerror(reason) { message += ", \(String(cString: text))" }
    self.init(result, message)
  }

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

extension SQLiteConfig {
  /// Returns the store's error for an error of SQLite, with advice for the user of the store.
  func explained(_ error: any Error) -> StorageError {
    guard let error = error as? SQLiteError else { return .backendFailed.with("\(error)", cause: error) }
    let (failure, advice): (StorageError, String) =
      switch error.code {
      case SQLITE_BUSY, SQLITE_LOCKED:
        (
          .backendFailed,
          "another process, or another program's transaction, kept the file locked for longer than the "
            + "\(busyTimeout) s that a call may wait; let it end, or raise `busyTimeout`"
        )
      case SQLITE_NOTADB:
        (
          .malformedFileAttributes,
          "the file is not an SQLite database, and was left unchanged: choose another path"
        )
      case SQLITE_CORRUPT:
        (
          .malformedFileAttributes,
          "the file is damaged, and was left unchanged; restore a copy, or use `.recover` of sqlite3"
        )
      case SQLITE_MISMATCH:
        (.malformedFileAttributes, "the row is not a valid entry; correct it or delete it")
      case SQLITE_TOOBIG:
        (
          .tooLarge,
          "the entry is larger than a billion bytes, which is SQLite's limit for a row; divide the value"
        )
      case SQLITE_FULL:
        (
          .backendFailed,
          "the disk is full, or the file has its maximum size; nothing was changed. Free space"
        )
      default: (.backendFailed, "SQLite reported an error")
      }
    return failure.with("\(advice) (\(error))", cause: error)
  }
}
