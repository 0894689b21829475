internal import CSQLite
import StrataCore

extension SQLiteConfig {
  /// Turns SQLite's errors into a `StorageError` with an explanation and advice for the user of the store.
  func explaining<R>(_ aim: String, _ key: (any Sendable)? = nil, _ body: () throws -> R)
    throws(StorageError) -> R
  {
    do {
      return try body()
    } catch let error as StorageError {
      throw error.with(key: key, place: error.place ?? path)
    } catch let error as SQLiteError {
      let (failure, advice) = advice(on: error)
      throw failure.with("cannot \(aim): \(advice) (\(error))", key: key, place: path, cause: error)
    } catch {
      throw .backendFailed.with("cannot \(aim)", key: key, place: path, cause: error)
    }
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
