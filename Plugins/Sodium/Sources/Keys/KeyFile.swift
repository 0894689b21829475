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

/// A file that holds a key, read and written without a buffer in between.
struct KeyFile: ~Copyable {
  private let descriptor: CInt
  private let path: String

  init(_ path: String, _ flags: CInt) throws {
    self.path = path
    descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      if code == EEXIST {
        throw StorageError.invalidConfiguration.with(
          "there is a file already, perhaps with a key that is needed: choose another path, or delete it",
          place: path)
      }
      throw Self.failure("open", path, code)
    }
  }

  deinit { close(descriptor) }

  /// Throws unless only its owner, who is this user or root, can read the file.
  func checkPrivacy() throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure("look at", path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError.invalidConfiguration.with("this is not a file", place: path)
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw StorageError.invalidConfiguration.with(
        "the file with the key belongs to another user, who can read and change it: `chown \(geteuid())` it, or make a new key",
        place: path)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw StorageError.invalidConfiguration.with(
        "others than its owner can read or write the file with the key: `chmod 600` it, and make a new key if they may have",
        place: path)
    }
  }

  /// Reads until the memory is full or the file ends; returns how many bytes there were.
  func fill(_ bytes: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while filled < bytes.count {
      let count = read(descriptor, bytes.baseAddress! + filled, bytes.count - filled)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure("read", path, errno) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Whether nothing follows what was read.
  func isAtEnd() throws -> Bool {
    try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { try fill($0) == 0 }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("write", path, errno) }
      rest = rest.dropFirst(count)
    }
  }

  func synchronize() throws {
    guard fsync(descriptor) == 0 else { throw Self.failure("synchronize", path, errno) }
  }

  /// The folder that a path names a file in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func failure(_ verb: String, _ path: String, _ code: CInt) -> StorageError {
    StorageError.backendFailed.with(
      "cannot \(verb) the file with the key: \(String(cString: strerror(code)))", place: path,
      cause: POSIXError.Code(rawValue: code).map { POSIXError($0) })
  }
}
