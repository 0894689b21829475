#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// The data file of an environment, before LMDB opens it.
enum EnvironmentFile {
  /// Returns the file's identity. Creates a missing file, its folder and the folders above, with access for the user
  /// alone, unless it is to be read only.
  static func make(inFolder folder: String, isReadOnly: Bool) throws -> FileIdentity {
    if !isReadOnly { try StorePath.makeFolder(folder) }
    let path = folder + "/data.mdb"
    if let file = FileIdentity(path: path) {
      // To open anything else could block for ever.
      if !file.isRegular { throw LMDBError.noDataFile }
      return file
    }
    if isReadOnly || errno != ENOENT { throw LMDBError(errno) }
    // LMDB treats an empty file as a new one. `lock.mdb` must not be opened like this: closing it would release LMDB's
    // locks.
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor == -1 { throw LMDBError(errno) }
    close(descriptor)
    guard let file = FileIdentity(path: path) else { throw LMDBError(errno) }
    return file
  }
}
