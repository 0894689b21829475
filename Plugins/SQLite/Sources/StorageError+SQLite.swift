internal import CSQLite
import StrataCore

extension SQLiteConfig {
  /// Returns the store's error for one of SQLite, with advice for the user of the store.
  func explained(_ error: any Error) -> StorageError {
    guard let error = error as? SQLiteError else { return .backendFailed.with("\(error)", cause: error) }
    let (failure, advice) = advice(on: error)
    return failure.with("\(advice) (\(error))", cause: error)
  }

  private func advice(on error: SQLiteError) -> (StorageError, String) {
    switch error.code {
    case SQLITE_BUSY, SQLITE_LOCKED:
      (
        .backendFailed,
        "another process, or another program's transaction, kept the file locked for longer than the "
          + "\(busyTimeout) s that a call may wait; let it end, or raise `busyTimeout`"
      )
    case SQLITE_NOTADB:
      (.malformedFileAttributes, "the file is no SQLite database, and was left as it is; choose another path")
    case SQLITE_CORRUPT:
      (
        .malformedFileAttributes,
        "the file is damaged, and was left as it is; `.recover` of the sqlite3 tool may save what is in it"
      )
    case SQLITE_MISMATCH:
      (.malformedFileAttributes, "the row is not a valid entry; correct it or delete it")
    case SQLITE_TOOBIG:
      (.tooLarge, "it is larger than SQLite can store in one row, which is a billion bytes")
    case SQLITE_FULL:
      (.backendFailed, "the disk is full, or the file has its maximum size; nothing was changed")
    default: (.backendFailed, "SQLite reported an error")
    }
  }
}
