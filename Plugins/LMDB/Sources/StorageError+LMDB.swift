#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataCore

extension StorageError {
  /// Returns an error that says what failed, with LMDB's code and message, and what to do about it.
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
    case MDB_MAP_FULL: "; data.mdb has reached maxFileSize: raise it, or remove entries"
    case MDB_READERS_FULL: "; too many processes read at once: end some of them"
    case MDB_DBS_FULL: "; too many databases are open in this folder: use several folders"
    case MDB_PANIC: "; release all stores of this folder, and open them again"
    case MDB_INVALID: "; data.mdb is not an LMDB file, or damaged: move it away"
    case MDB_TXN_FULL: "; the batch is too large: divide it"
    case ENOSPC, EDQUOT: "; nothing was changed: make room on the disk"
    // LMDB reports this for a page that was written only in part because the disk became full.
    case EIO: "; nothing was changed. The disk may be full: check whether there is room on it"
    default: ""
    }
  }
}
