internal import CSQLite
import StrataEngines

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
  public var name: String { "SQLITE_" + (Int(code) < Self.names.count ? Self.names[Int(code)] : "UNKNOWN") }

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
    if reason != 0 { message += ", \(systemReason(reason))" }
    self.init(result, message)
  }

  /// The names of SQLite's codes from 0 on.
  private static let names = """
    OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL \
    EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB
    """.split(separator: " ")
}

extension SQLiteConfig {
  /// Returns the store's error for an error of SQLite, with advice for the user of the store.
  func explained(_ error: any Error) -> StorageError {
    guard let error = error as? SQLiteError else { return .backendFailed.with("\(error)", cause: error) }
    let kind: StorageError =
      switch error.code {
      case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_MISMATCH: .malformedFileAttributes
      case SQLITE_TOOBIG: .tooLarge
      default: .backendFailed
      }
    let advice =
      switch error.code {
      case SQLITE_BUSY, SQLITE_LOCKED:
        "another process, or another program's transaction, kept the file locked for longer than the "
          + "\(busyTimeout) s that a call may wait; let it end, or raise `busyTimeout`"
      case SQLITE_NOTADB: "the file is not an SQLite database, and was left unchanged: choose another path"
      case SQLITE_CORRUPT:
        "the file is damaged, and was left unchanged; restore a copy, or use `.recover` of sqlite3"
      case SQLITE_MISMATCH: "the row is not a valid entry; correct it or delete it"
      case SQLITE_TOOBIG: "the entry takes over a billion bytes, SQLite's limit for a row; divide the value"
      case SQLITE_FULL: "the disk is full, or the file has its maximum size; nothing was changed. Free space"
      default: "SQLite reported an error"
      }
    return kind.with("\(advice) (\(error))", cause: error)
  }
}
