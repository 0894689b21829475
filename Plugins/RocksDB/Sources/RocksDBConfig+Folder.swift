#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension RocksDBConfig {
  /// Throws if the name of the family is invalid.
  func validate() throws(StorageError) {
    if family.isEmpty || family.utf8.contains(0) {
      throw .invalidConfiguration.with(
        "\(String(reflecting: family)) cannot name a column family: it must not be empty or contain NUL",
        place: path)
    }
  }

  /// Returns the path of the folder, which is created if it is missing. Links are resolved, so one folder has one path.
  func folder() throws(StorageError) -> String {
    let path = try StorePath.absolute(path)
    if !isReadOnly { try StorePath.makeFolder(path) }
    guard let resolved = realpath(path, nil) else {
      let reason = strerror(errno).map { String(cString: $0) } ?? "unknown error"
      throw .backendFailed.with("cannot resolve the path of the database's folder: \(reason)", place: path)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
