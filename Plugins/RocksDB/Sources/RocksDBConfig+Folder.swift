#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataEngines

extension RocksDBConfig {
  /// Returns the path of the folder, which is created if it is missing. Links are resolved, so one folder has one path.
  func folder() throws(StorageError) -> String {
    let path = try StorePath.absolute(path)
    if !isReadOnly { try StorePath.makeFolder(path) }
    guard let resolved = realpath(path, nil) else {
      throw .backendFailed.with(
        "cannot resolve the path of the database's folder: \(systemReason(errno))", place: path)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
