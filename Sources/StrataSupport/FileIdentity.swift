#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The identity of the file at a path, whichever path leads to it. `SharedEngines` uses it as the name of a location.
package struct FileIdentity: Sendable {
  /// A text that is the same for the same file. It cannot identify another file while this one is open.
  package let text: String
  package let size: Int
  package let isRegular: Bool
  package let isFolder: Bool

  /// Identifies the file at a path, following links. Returns `nil` if the system call fails; `errno` then has the
  /// reason.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    text = "\(status.st_dev):\(status.st_ino)"
    size = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}
