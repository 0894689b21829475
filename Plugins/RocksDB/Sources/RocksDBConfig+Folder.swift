#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension RocksDBConfig {
  /// Throws unless a path and a family can have these names.
  func validate() throws(StorageError) {
    for (what, name) in [("folder", path), ("column family", family)] where name.isEmpty || name.utf8.contains(0) {
      throw .invalidConfiguration.with(
        "\(String(reflecting: name)) cannot name a \(what): it must have characters, and no NUL", place: path)
    }
  }

  /// The path of the folder, which is made if it is missing; the same text for the same folder, also through links.
  func folder() throws(StorageError) -> String {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .backendFailed.with("cannot make the folder of the database", place: path, cause: error)
    }
    guard let resolved = realpath(path, nil) else {
      let reason = strerror(errno).map { String(cString: $0) } ?? "unknown error"
      throw .backendFailed.with("cannot find the folder of the database: \(reason)", place: path)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
