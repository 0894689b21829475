#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension RocksDBConfig {
  /// Returns the path of the folder, which is created if it is missing. Links are resolved, so one folder has one path.
  func folder() throws(StorageError) -> String {
    let path = try StorePath.absolute(path)
    if !isReadOnly { try StorePath.makeFolder(path) }
    guard let resolved = realpath(path, nil) else {
      throw .backendFailed.with("cannot find the folder of the database: \(systemReason(errno))", place: path)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
