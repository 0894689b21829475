#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The identity of the file at a path, whichever path leads to it. `SharedEngines` uses it as the name of a location.
package struct FileIdentity: Sendable, Equatable {
  private let device: dev_t
  private let number: ino_t
  package let size: Int
  package let isRegular: Bool
  package let isFolder: Bool

  /// Identifies the file at a path, following links. Returns `nil` if the system call fails; `errno` then has the
  /// reason.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
    size = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  /// A text that is the same for the same file. It cannot identify another file while this one is open.
  package var text: String { "\(device):\(number)" }

  /// Whether both are the same file, whatever its size was.
  package static func == (one: FileIdentity, other: FileIdentity) -> Bool {
    one.device == other.device && one.number == other.number
  }
}
