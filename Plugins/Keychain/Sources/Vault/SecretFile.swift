import StrataDelegate
import StrataSodium

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file of secrets. It is never opened through a symlink, is not inherited by other programs, and closes when
/// it goes out of scope.
struct SecretFile: ~Copyable {
  let path: String
  private let descriptor: CInt

  /// Opens a file, without waiting for a FIFO. A new file is accessible to its owner only. Throws a `KeychainFailure`.
  init(_ path: String, _ flags: CInt) throws(KeychainFailure) {
    let descriptor = Self.retrying { open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
    if descriptor == -1 { throw KeychainFailure(errno: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Throws unless this is a regular file of this user, and only its owner can read and write it.
  func checkPrivacy() throws {
    var status = stat()
    if fstat(descriptor, &status) == -1 { throw KeychainFailure(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError.invalidConfiguration.with("the path is not a regular file", place: path)
    }
    guard status.st_uid == geteuid() else {
      throw StorageError.denied.with(
        "the file belongs to the user \(status.st_uid), but this program runs as \(geteuid()): "
          + "`chown` it, or run as that user", place: path)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw StorageError.denied.with(
        "users other than its owner may access the file (mode \(String(status.st_mode & 0o7777, radix: 8))): `chmod 600` it, and "
          + "change its key if they may have read it", place: path)
    }
  }

  /// Returns the first `limit` bytes, or all without a limit.
  func bytes(_ limit: Int? = nil) throws(KeychainFailure) -> [UInt8] {
    var status = stat()
    if fstat(descriptor, &status) == -1 { throw KeychainFailure(errno: errno) }
    let size = limit ?? Int(status.st_size)
    var failure: KeychainFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let read = Self.retrying {
          pread(
            descriptor, UnsafeMutableBufferPointer(rebasing: buffer[count...]).baseAddress, size - count,
            off_t(count))
        }
        if read == -1 { failure = KeychainFailure(errno: errno) }
        if read <= 0 { return }
        count += read
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes bytes, and waits until they are on disk.
  func write(_ bytes: [UInt8]) throws(KeychainFailure) {
    var count = 0
    while count < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        Self.retrying {
          pwrite(
            descriptor, buffer.part(count...).baseAddress, bytes.count - count,
            off_t(count))
        }
      }
      if written == -1 { throw KeychainFailure(errno: errno) }
      count += written
    }
    try sync()
  }

  /// Waits until all changes to the file or folder are on disk.
  func sync() throws(KeychainFailure) {
    #if canImport(Darwin)
      // `fsync` alone leaves the data in the drive's cache.
      if Self.retrying({ fcntl(descriptor, F_FULLFSYNC) }) != -1 { return }
    #endif
    if Self.retrying({ fsync(descriptor) }) == -1 { throw KeychainFailure(errno: errno) }
  }

  /// Locks the file. Returns `false` if another descriptor holds the lock. The system releases it when the file is
  /// closed or the process dies.
  func tryLock() throws(KeychainFailure) -> Bool {
    if Self.retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw KeychainFailure(errno: errno)
  }

  /// Returns the process that holds the lock, if the system reports it.
  func holder() throws(KeychainFailure) -> pid_t? {
    #if os(Linux)
      var status = stat()
      if fstat(descriptor, &status) == -1 { throw KeychainFailure(errno: errno) }
      // The format of `proc_locks(5)`: 1: FLOCK ADVISORY WRITE <process> <major>:<minor>:<inode> 0 EOF
      let device = UInt64(status.st_dev)
      let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
      let minor = device & 0xff | device >> 12 & ~0xff
      let locks = String(decoding: try SecretFile("/proc/locks", O_RDONLY).bytes(1 << 20), as: UTF8.self)
      for line in locks.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 5, words[1] == "FLOCK" else { continue }
        let place = words[5].split(separator: ":")
        if place.count == 3, UInt64(place[0], radix: 16) == major, UInt64(place[1], radix: 16) == minor,
          UInt64(place[2]) == UInt64(status.st_ino)
        {
          return pid_t(words[4]).flatMap { $0 > 0 ? $0 : nil }
        }
      }
    #endif
    return nil
  }

  /// Repeats a call while signals interrupt it.
  private static func retrying<R: BinaryInteger>(_ call: () -> R) -> R {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

/// A key of 32 bytes in a folder of the service manager.
enum CredentialFile {
  static func key(_ name: String, in folder: String) throws -> SecretKey {
    let path = "\(folder)/\(name)"
    do {
      let file = try SecretFile(path, O_RDONLY)
      // Reads one byte more, to detect a longer file.
      var bytes = try file.bytes(SecretKey.size + 1)
      defer { bytes.withUnsafeMutableBytes { WipedBytes.wipe($0) } }
      guard bytes.count == SecretKey.size else {
        throw StorageError.invalidConfiguration.with(
          "a credential that opens a vault has exactly \(SecretKey.size) bytes: make one with "
            + "`head -c \(SecretKey.size) /dev/urandom`", place: path)
      }
      return try bytes.withUnsafeBytes { try SecretKey(bytes: $0) }
    } catch let failure as KeychainFailure {
      throw StorageError.unreachable.with(
        "the credential cannot be read (\(failure)): check that the service manager provides it", place: path,
        cause: failure)
    }
  }
}
