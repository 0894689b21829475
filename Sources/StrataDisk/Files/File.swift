#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file. It closes when it goes out of scope.
struct File: ~Copyable {
  let path: String
  private let descriptor: CInt

  /// Opens a file, never through a symlink, and never handing it on to a child process.
  ///
  /// Opening and reading a FIFO does not wait for a writer. A file that is made is its owner's alone.
  init(_ path: String, _ flags: CInt) throws(SystemError) {
    let descriptor = SystemError.retrying {
      Int(open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600))
    }
    if descriptor == -1 { throw SystemError("open", path) }
    self.path = path
    self.descriptor = CInt(descriptor)
  }

  deinit { close(descriptor) }

  func status() throws(SystemError) -> FileStatus {
    var status = stat()
    if fstat(descriptor, &status) == -1 { throw SystemError("fstat", path) }
    return FileStatus(status)
  }

  /// Reads from an offset until the buffer is full or the file ends, and returns the number of bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let result = SystemError.retrying {
        pread(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
      }
      if result == -1 { throw SystemError("pread", path) }
      if result == 0 { break }
      count += result
    }
    return count
  }

  /// Writes two pieces one after the other, without putting them together first.
  func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) throws(SystemError) {
    var written = 0
    while written < first.count + second.count {
      let rests = [
        UnsafeRawBufferPointer(rebasing: first.dropFirst(written)),
        UnsafeRawBufferPointer(rebasing: second.dropFirst(max(0, written - first.count))),
      ]
      let vectors = rests.map { rest in
        iovec(iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
      }
      let result = SystemError.retrying { writev(descriptor, vectors, 2) }
      if result == -1 { throw SystemError("writev", path) }
      written += result
    }
  }

  /// Throws what closing would: a network file system may report only then that a write failed.
  ///
  /// The file stays open, and locked: a second descriptor is closed.
  func finishWriting() throws(SystemError) {
    let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if second == -1 { throw SystemError("fcntl", path) }
    if close(second) == -1, errno != EINTR { throw SystemError("close", path) }
  }

  /// Locks the file against everybody else who asks, until it closes; `false` if somebody else has it.
  func tryLock() throws(SystemError) -> Bool {
    if SystemError.retrying({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw SystemError("flock", path)
  }

  /// Makes now the time of the last modification, where the system lets us: it is a hint and no more.
  func touch() { futimens(descriptor, nil) }
}
