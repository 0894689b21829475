#if canImport(Darwin)
  import Darwin
#else
  // Dispatch's C module is what the compiler takes `stat` to be from, where that was loaded first.
  import Dispatch
  import Glibc
#endif

/// The data file of an environment, before LMDB opens it.
struct EnvironmentFile {
  /// The same text for the same file, by whatever path; it cannot come to mean another file while this one is open.
  let identity: String
  let size: Int

  /// Finds the file, and makes it, its folder and the folders above if need be, for the user alone.
  init(inFolder folder: String) throws(LMDBError) {
    try Self.makeFolder(folder)
    let path = folder + "/data.mdb"
    var status = stat()
    if stat(path, &status) == -1 {
      if errno != ENOENT { throw LMDBError(errno) }
      // LMDB takes an empty file for a new one. `lock.mdb` must not be opened like this: to close it would end LMDB's locks.
      let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      if descriptor == -1 { throw LMDBError(errno) }
      defer { close(descriptor) }
      if fstat(descriptor, &status) == -1 { throw LMDBError(errno) }
    }
    // Anything else could make the opening wait for ever.
    if status.st_mode & S_IFMT != S_IFREG { throw .noDataFile }
    identity = "\(status.st_dev):\(status.st_ino)"
    size = Int(status.st_size)
  }

  private static func makeFolder(_ path: String) throws(LMDBError) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    switch code {
    case EEXIST:
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
      throw LMDBError(ENOTDIR)
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw LMDBError(code) }
      try makeFolder(String(path[..<slash]))
      if mkdir(path, 0o700) == -1, errno != EEXIST { throw LMDBError(errno) }
    default: throw LMDBError(code)
    }
  }
}
