import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Who may read a file with a key.
public enum KeyFileReaders: Sendable, Hashable {
  /// Its owner. Others may, too, if the file is read-only for all: nobody makes it so by accident.
  case owner
  /// Anyone: for a container or a machine with one program, where secrets are mounted with the mode 0644 or 0640.
  case anyone
}

extension SecretKey {
  /// The key in a file of exactly 32 bytes, as `write(toFile:)` makes it, or `head -c 32 /dev/urandom`.
  ///
  /// The bytes go from the file into locked memory and nowhere else. Refused with `.invalidConfiguration` is
  ///
  /// - anything but a file, a FIFO say, which is not waited for; a symlink is followed;
  /// - a file of another user than this one or root;
  /// - a file that others than its owner may write;
  /// - a file that its owner may write and others may read (0640, 0644), unless `readers` allows it. A file that nobody
  ///   may write (0400, 0440, 0444) is accepted: Docker and Kubernetes mount secrets like that.
  ///
  /// - Parameter readers: who may read the file beside its owner.
  public init(file path: String, readers: KeyFileReaders = .owner) throws {
    // A FIFO would keep waiting whoever opens it.
    let file = try SystemFile(path, O_RDONLY | O_NONBLOCK)
    try file.checkPrivacy(readers)
    try self.init(
      LockedBytes(count: Self.size) { bytes in
        guard try file.fill(bytes) == bytes.count, try file.isAtEnd() else {
          throw StorageError.invalidConfiguration.with(
            "a file with a key has exactly \(Self.size) bytes, and this one has others; it was left as it is",
            place: path)
        }
      })
  }

  /// Keeps the key in a new file that only this user may read. Throws `.invalidConfiguration` where there is one
  /// already.
  ///
  /// When this returns, the file survives a loss of power.
  public func write(toFile path: String) throws {
    let file = try SystemFile(path, O_WRONLY | O_CREAT | O_EXCL)
    do {
      try withUnsafeBytes { try file.append($0) }
      try file.synchronize()
    } catch {
      // Half a key would only be in the way of the next attempt.
      unlink(path)
      throw error
    }
    try SystemFile.synchronizeFolder(of: path)
  }
}
