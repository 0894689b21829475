internal import CSQLite
import StrataCore

extension SQLiteConfig {
  /// Turns what SQLite says into what a user of the store can understand.
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
        "another process, or another program's transaction, has the file locked, and still had after the "
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
      (.malformedFileAttributes, "the row is no entry; correct it or delete it")
    case SQLITE_TOOBIG:
      (.tooLarge, "it is larger than SQLite can store in one row, which is a billion bytes")
    case SQLITE_FULL:
      (.backendFailed, "the disk is full, or the file as large as it may get; nothing was changed")
    default: (.backendFailed, "SQLite refused")
    }
  }
}
