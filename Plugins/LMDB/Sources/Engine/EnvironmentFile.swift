#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// The data file of an environment, before LMDB opens it.
enum EnvironmentFile {
  /// Finds the file, and makes it, its folder and the folders above if need be, for the user alone.
  static func make(inFolder folder: String) throws(LMDBError) -> FileIdentity {
    try makeFolder(folder)
    let path = folder + "/data.mdb"
    if let file = FileIdentity(path: path) {
      // To open anything else could wait for ever.
      if !file.isRegular { throw .noDataFile }
      return file
    }
    if errno != ENOENT { throw LMDBError(errno) }
    // LMDB takes an empty file for a new one. `lock.mdb` must not be opened like this: to close it would end LMDB's locks.
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor == -1 { throw LMDBError(errno) }
    close(descriptor)
    guard let file = FileIdentity(path: path) else { throw LMDBError(errno) }
    return file
  }

  private static func makeFolder(_ path: String) throws(LMDBError) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    switch code {
    case EEXIST:
      if FileIdentity(path: path)?.isFolder == true { return }
      throw LMDBError(ENOTDIR)
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw LMDBError(code) }
      try makeFolder(String(path[..<slash]))
      if mkdir(path, 0o700) == -1, errno != EEXIST { throw LMDBError(errno) }
    default: throw LMDBError(code)
    }
  }
}
