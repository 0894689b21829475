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

/// A file of keys or of encrypted bytes, read and written without buffering.
struct SystemFile: ~Copyable {
  let descriptor: CInt
  private let path: String

  init(_ path: String, _ flags: CInt) throws {
    self.path = path
    descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      if code == EEXIST {
        throw StorageError.invalidConfiguration.with(
          "a file exists already, and was not replaced: choose another path, or delete it",
          place: path)
      }
      throw Self.failure("open", path, code)
    }
  }

  init(descriptor: CInt, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Throws unless this is a regular file of this user or root that no other user can write, and that only `readers`
  /// can read.
  func checkPrivacy(_ readers: KeyFileReaders) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure("look at", path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError.invalidConfiguration.with("the path is not a regular file", place: path)
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw StorageError.invalidConfiguration.with(
        "the file with the key belongs to another user, who can read and change it: `chown \(geteuid())` it, or make a new key",
        place: path)
    }
    let mode = status.st_mode & 0o777
    guard mode & 0o022 == 0 else {
      throw StorageError.invalidConfiguration.with(
        "users other than its owner can change the file with the key: `chmod 600` it, and make a new key",
        place: path)
    }
    guard mode & 0o077 == 0 || mode & 0o222 == 0 || readers == .anyone else {
      throw StorageError.invalidConfiguration.with(
        "users other than its owner can read the key file: `chmod 600` it, and make a new key if they may have; if it is "
          + "mounted like that for this program alone, let it be read-only (0440), or allow it with `readers: .anyone`",
        place: path)
    }
  }

  /// Reads until the memory is full or the file ends. Returns the number of bytes read.
  func fill(_ bytes: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while filled < bytes.count {
      let count = read(descriptor, bytes.sodiumStart + filled, bytes.count - filled)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure("read", path, errno) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Whether all bytes of the file have been read.
  func isAtEnd() throws -> Bool {
    try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { try fill($0) == 0 }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    var written = 0
    while written < bytes.count {
      let count = write(descriptor, bytes.sodiumStart + written, bytes.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("write", path, errno) }
      written += count
    }
  }

  func synchronize() throws {
    guard fsync(descriptor) == 0 else { throw Self.failure("synchronize", path, errno) }
  }

  /// Makes changes to the names in a file's folder durable.
  static func synchronizeFolder(of path: String) throws {
    try SystemFile(folder(of: path), O_RDONLY | O_DIRECTORY).synchronize()
  }

  /// Renames a file, and replaces the target.
  static func rename(_ path: String, to target: String) throws {
    guard systemRename(path, target) == 0 else { throw failure("rename", target, errno) }
  }

  /// Returns the folder part of a file's path.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func failure(_ verb: String, _ path: String, _ code: CInt) -> StorageError {
    StorageError.backendFailed.with(
      "cannot \(verb) the file: \(systemReason(code))", place: path,
      cause: POSIXError.Code(rawValue: code).map { POSIXError($0) })
  }
}

// Calls the C function `rename`, which the method of the same name hides.
private func systemRename(_ path: String, _ target: String) -> CInt { rename(path, target) }
