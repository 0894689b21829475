#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension RocksDBConfig {
  /// Throws unless a family can have this name.
  func validate() throws(StorageError) {
    if family.isEmpty || family.utf8.contains(0) {
      throw .invalidConfiguration.with(
        "\(String(reflecting: family)) cannot name a column family: it must have characters, and no NUL",
        place: path)
    }
  }

  /// The path of the folder, which is made if it is missing; the same text for the same folder, also through links.
  func folder() throws(StorageError) -> String {
    let path = try StorePath.absolute(path)
    try StorePath.makeFolder(path)
    guard let resolved = realpath(path, nil) else {
      let reason = strerror(errno).map { String(cString: $0) } ?? "unknown error"
      throw .backendFailed.with("cannot find the folder of the database: \(reason)", place: path)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
