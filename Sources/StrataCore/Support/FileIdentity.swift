#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which file a path leads to, whatever the path: the name by which `SharedEngines` knows a place.
package struct FileIdentity: Sendable {
  /// The same text for the same file. It cannot come to mean another file while this one is open.
  package let text: String
  package let size: Int
  package let isRegular: Bool
  package let isFolder: Bool

  /// Follows links; `nil` if the system refuses, and then `errno` says why.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    text = "\(status.st_dev):\(status.st_ino)"
    size = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}
