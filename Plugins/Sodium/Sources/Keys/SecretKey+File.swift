import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The users who may read a key file.
///
/// ```swift
/// let key = try SecretKey(file: "/run/secrets/cache-key", readers: .anyone)
/// ```
public enum KeyFileReaders: Sendable, Hashable {
  /// The owner. A file that is read-only for all users is accepted too, since such a mode is set deliberately.
  case owner
  /// Any user: for a container or a machine with one program, where secrets are mounted with the mode 0644 or 0640.
  case anyone
}

extension SecretKey {
  /// Reads the key from a file of exactly 32 bytes, as made by `write(toFile:)` or `head -c 32 /dev/urandom`.
  ///
  /// The bytes are read directly into locked memory. The following throw `.invalidConfiguration`:
  ///
  /// - anything but a regular file; a FIFO is not waited for, and a symlink is followed;
  /// - a file owned by neither this user nor root;
  /// - a file that users other than its owner may write;
  /// - a file that its owner may write and other users may read (0640, 0644), unless `readers` allows it. A file that
  ///   no user may write (0400, 0440, 0444) is accepted: Docker and Kubernetes mount secrets with such modes.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - readers: The users who may read the file beside its owner.
  public init(file path: String, readers: KeyFileReaders = .owner) throws {
    // Without O_NONBLOCK, opening a FIFO would block.
    let file = try SystemFile(path, O_RDONLY | O_NONBLOCK)
    try file.checkPrivacy(readers)
    try self.init(
      LockedBytes(count: Self.size) { bytes in
        guard try file.fill(bytes) == bytes.count, try file.isAtEnd() else {
          throw StorageError.invalidConfiguration.with(
            "a key file has exactly \(Self.size) bytes, and this file has another size; it was left unchanged",
            place: path)
        }
      })
  }

  /// Writes the key to a new file that only this user may read. Throws `.invalidConfiguration` if the file exists.
  ///
  /// When this returns, the file survives a loss of power.
  public func write(toFile path: String) throws {
    let file = try SystemFile(path, O_WRONLY | O_CREAT | O_EXCL)
    do {
      try withUnsafeBytes { try file.append($0) }
      try file.synchronize()
    } catch {
      // A partial key would block the next attempt.
      unlink(path)
      throw error
    }
    try SystemFile.synchronizeFolder(of: path)
  }
}
