#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataEngines

/// An error reported by LMDB or the system: the `cause` of a `StorageError` of an LMDB store.
///
/// ```swift
/// do {
///   try readings.setObject(bytes, forKey: "oslo")
/// } catch let error as StorageError {
///   if let cause = error.cause as? LMDBError { print(cause.name) }   // "MDB_MAP_FULL"
/// }
/// ```
public struct LMDBError: Error, Equatable, CustomStringConvertible {
  /// One of LMDB's codes, which are negative, or the system's `errno`.
  public let code: Int32

  init(_ code: Int32) { self.code = code }

  /// The code's name in C, such as `MDB_MAP_FULL` or `ENOSPC`; for an unlisted code, `errno` and its number.
  public var name: String { Self.names[code] ?? "errno \(code)" }

  /// The message of LMDB or the system.
  public var message: String { String(cString: mdb_strerror(code)) }

  /// Name, code and message in one line.
  public var description: String { "\(name) (\(code)): \(message)" }

  private static let names: [Int32: String] = [
    MDB_KEYEXIST: "MDB_KEYEXIST", MDB_NOTFOUND: "MDB_NOTFOUND", MDB_PAGE_NOTFOUND: "MDB_PAGE_NOTFOUND",
    MDB_CORRUPTED: "MDB_CORRUPTED", MDB_PANIC: "MDB_PANIC", MDB_VERSION_MISMATCH: "MDB_VERSION_MISMATCH",
    MDB_INVALID: "MDB_INVALID", MDB_MAP_FULL: "MDB_MAP_FULL", MDB_DBS_FULL: "MDB_DBS_FULL",
    MDB_READERS_FULL: "MDB_READERS_FULL", MDB_TLS_FULL: "MDB_TLS_FULL", MDB_TXN_FULL: "MDB_TXN_FULL",
    MDB_CURSOR_FULL: "MDB_CURSOR_FULL", MDB_PAGE_FULL: "MDB_PAGE_FULL", MDB_MAP_RESIZED: "MDB_MAP_RESIZED",
    MDB_INCOMPATIBLE: "MDB_INCOMPATIBLE", MDB_BAD_RSLOT: "MDB_BAD_RSLOT", MDB_BAD_TXN: "MDB_BAD_TXN",
    MDB_BAD_VALSIZE: "MDB_BAD_VALSIZE", MDB_BAD_DBI: "MDB_BAD_DBI",
    EPERM: "EPERM", ENOENT: "ENOENT", EIO: "EIO", EAGAIN: "EAGAIN", ENOMEM: "ENOMEM", EACCES: "EACCES",
    EBUSY: "EBUSY", EEXIST: "EEXIST", ENOTDIR: "ENOTDIR", EISDIR: "EISDIR", EINVAL: "EINVAL",
    ENFILE: "ENFILE", EMFILE: "EMFILE", EFBIG: "EFBIG", ENOSPC: "ENOSPC", EROFS: "EROFS",
    ELOOP: "ELOOP", ENAMETOOLONG: "ENAMETOOLONG", EDQUOT: "EDQUOT",
  ]
}

extension StorageError {
  /// Returns the store's error for an error of LMDB, with its code, its message and advice for the user.
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

/// Throws the error of an LMDB call, unless the call succeeded.
@inline(__always)
func check(_ code: Int32) throws(LMDBError) {
  if code != MDB_SUCCESS { throw LMDBError(code) }
}
