#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataCore

extension StorageError {
  /// What went wrong, with the engine's code and words, and what to do about it.
  static func lmdb(
    _ error: any Error, _ aim: String, key: (any Sendable)? = nil, at path: String
  ) -> StorageError {
    if let error = error as? StorageError { return error.with(key: key, place: error.place ?? path) }
    guard let error = error as? LMDBError else {
      return .backendFailed.with("cannot \(aim)", key: key, place: path, cause: error)
    }
    return kind(error).with("cannot \(aim): \(error)\(advice(error))", key: key, place: path, cause: error)
  }

  private static func kind(_ error: LMDBError) -> StorageError {
    switch error.code {
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_VERSION_MISMATCH: .malformedFileAttributes
    default: .backendFailed
    }
  }

  private static func advice(_ error: LMDBError) -> String {
    switch error.code {
    case MDB_MAP_FULL: "; data.mdb is as large as maxFileSize allows: raise it, or remove entries"
    case MDB_READERS_FULL: "; too many processes read at once: end some of them"
    case MDB_DBS_FULL: "; too many databases are open in this folder: use several folders"
    case MDB_PANIC: "; let go of all stores of this folder, and open them again"
    case MDB_INVALID: "; data.mdb is no file of LMDB's, or damaged: move it away"
    case MDB_TXN_FULL: "; the batch is too large: divide it"
    case ENOSPC, EDQUOT: "; nothing was changed: make room on the disk"
    // What LMDB makes of a page that was written in part, because the room ended in it.
    case EIO: "; nothing was changed. The disk may be full: look whether there is room on it"
    default: ""
    }
  }
}
