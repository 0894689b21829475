import StrataCore
import StrataSodium

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file that keeps secrets: never reached by a symlink, never handed on to another program. It closes when it
/// goes out of scope.
struct SecretFile: ~Copyable {
  let path: String
  private let descriptor: CInt

  /// Opens a file; throws a `KeychainFailure`. One that is made is its owner's alone. A FIFO is not waited for.
  init(_ path: String, _ flags: CInt) throws(KeychainFailure) {
    let descriptor = Self.retrying { open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
    if descriptor == -1 { throw KeychainFailure(errno: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Throws unless this is a file that its owner, who is this user, alone can read and write.
  func checkPrivacy() throws {
    var status = stat()
    if fstat(descriptor, &status) == -1 { throw KeychainFailure(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError.invalidConfiguration.with("there is no file there, but something else", place: path)
    }
    guard status.st_uid == geteuid() else {
      throw StorageError.denied.with(
        "the file belongs to the user \(status.st_uid), and this program is \(geteuid())'s: "
          + "`chown` it, or run as that user", place: path)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw StorageError.denied.with(
        "others than its owner may use the file (mode \(String(status.st_mode & 0o7777, radix: 8))): `chmod 600` it, and "
          + "give it another key if they may have read it", place: path)
    }
  }

  /// As many bytes as there are from an offset, up to a limit; all without one.
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

  /// Writes bytes, and returns when they are on the disk.
  func write(_ bytes: [UInt8]) throws(KeychainFailure) {
    var count = 0
    while count < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        Self.retrying {
          pwrite(
            descriptor, UnsafeRawBufferPointer(rebasing: buffer[count...]).baseAddress, bytes.count - count,
            off_t(count))
        }
      }
      if written == -1 { throw KeychainFailure(errno: errno) }
      count += written
    }
    try sync()
  }

  /// Returns when all that was done to the file, or in the folder, is on the disk.
  func sync() throws(KeychainFailure) {
    #if canImport(Darwin)
      // fsync alone leaves the data in the drive's own cache.
      if Self.retrying({ fcntl(descriptor, F_FULLFSYNC) }) != -1 { return }
    #endif
    if Self.retrying({ fsync(descriptor) }) == -1 { throw KeychainFailure(errno: errno) }
  }

  /// Locks the file, unless another has; returns whether it is locked now. The system unlocks it when the file is
  /// closed, or the process dies.
  func tryLock() throws(KeychainFailure) -> Bool {
    if Self.retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw KeychainFailure(errno: errno)
  }

  /// The process that has the file locked, where the system tells.
  func holder() throws(KeychainFailure) -> pid_t? {
    #if os(Linux)
      var status = stat()
      if fstat(descriptor, &status) == -1 { throw KeychainFailure(errno: errno) }
      // As `proc_locks(5)` has it: 1: FLOCK ADVISORY WRITE <process> <major>:<minor>:<inode> 0 EOF
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

  /// Calls again for as long as a signal interrupts.
  private static func retrying<R: BinaryInteger>(_ call: () -> R) -> R {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

/// A key of 32 bytes that the service manager put into a folder.
enum CredentialFile {
  static func key(_ name: String, in folder: String) throws -> SecretKey {
    let path = "\(folder)/\(name)"
    do {
      let file = try SecretFile(path, O_RDONLY)
      // One byte more, to see that there is none.
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
        "the credential cannot be read (\(failure)): see that the service manager hands it over", place: path,
        cause: failure)
    }
  }
}
