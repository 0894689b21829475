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

extension SecretKey {
  /// The key in a file of exactly 32 bytes, as `write(toFile:)` makes it, or `head -c 32 /dev/urandom`.
  ///
  /// The bytes go from the file into locked memory and nowhere else. A file that others than its owner may read or write, or
  /// that belongs to another user than this one or root, is refused with `.invalidConfiguration`.
  public init(file path: String) throws {
    let file = try SystemFile(path, O_RDONLY)
    try file.checkPrivacy()
    try self.init(
      LockedBytes(count: Self.size) { bytes in
        guard try file.fill(bytes) == bytes.count, try file.isAtEnd() else {
          throw StorageError.invalidConfiguration.with(
            "a file with a key has exactly \(Self.size) bytes, and this one has others; it was left as it is",
            place: path)
        }
      })
  }

  /// Keeps the key in a new file that only this user may read. Throws `.invalidConfiguration` where there is one already.
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
