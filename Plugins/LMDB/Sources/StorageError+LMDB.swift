#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataCore

extension StorageError {
  /// Returns an error that says what failed, where, and why.
  static func lmdb(
    _ error: any Error, _ aim: String, key: (any Sendable)? = nil, at path: String
  ) -> StorageError {
    explaining(error, aim, key: key, place: path, by: lmdb)
  }

  /// Returns the store's error for one of LMDB, with its code and message, and what to do about it.
  static func lmdb(_ error: any Error) -> StorageError {
    guard let error = error as? LMDBError else { return .backendFailed.with("\(error)", cause: error) }
    let (kind, advice): (StorageError, String) =
      switch error.code {
      case MDB_INVALID: (.malformedFileAttributes, "; data.mdb is not an LMDB file, or damaged: move it away")
      case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_VERSION_MISMATCH: (.malformedFileAttributes, "")
      case MDB_MAP_FULL: (.backendFailed, "; data.mdb has reached maxFileSize: raise it, or remove entries")
      case MDB_READERS_FULL: (.backendFailed, "; too many processes read at once: end some of them")
      case MDB_DBS_FULL:
        (.backendFailed, "; too many databases are open in this folder: use several folders")
      case MDB_PANIC: (.backendFailed, "; release all stores of this folder, and open them again")
      case MDB_TXN_FULL: (.backendFailed, "; the batch is too large: divide it")
      case ENOSPC, EDQUOT: (.backendFailed, "; nothing was changed: make room on the disk")
      // LMDB reports this for a page that was written only in part because the disk became full.
      case EIO:
        (.backendFailed, "; nothing was changed. The disk may be full: check whether there is room on it")
      default: (.backendFailed, "")
      }
    return kind.with("\(error)\(advice)", cause: error)
  }
}
