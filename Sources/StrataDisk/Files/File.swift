#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file, which closes when it goes out of scope.
struct File: ~Copyable {
  let path: String
  let descriptor: CInt

  /// Opens a file, never through a symlink, and closed on `exec`.
  ///
  /// Opening and reading a FIFO does not wait for a writer. A created file is accessible to its owner alone.
  init(_ path: String, _ flags: CInt) throws(SystemError) {
    let descriptor = Descriptors.opening { open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
    if descriptor == -1 { throw SystemError("open", path) }
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens a file like `init`; `nil` if there is none.
  static func existing(_ path: String, _ flags: CInt = O_RDONLY) throws(SystemError) -> File? {
    do throws(SystemError) {
      return try File(path, flags)
    } catch let error where error.code == ENOENT {
      return nil
    }
  }

  /// Opens a regular file like `init`; `nil` if there is none. Throws an `EntryFlaw` if something that cannot be opened
  /// is in its place.
  static func regular(_ path: String, _ flags: CInt = O_RDONLY) throws -> File? {
    do throws(SystemError) {
      return try existing(path, flags)
    } catch {
      if let status = try FileStatus(of: path), !status.isRegular { throw status.flaw }
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Returns the status of a regular file; throws an `EntryFlaw` if it is not one.
  func regularStatus() throws -> FileStatus {
    let status = try status()
    guard status.isRegular else { throw status.flaw }
    return status
  }

  func status() throws(SystemError) -> FileStatus {
    var status = stat()
    if fstat(descriptor, &status) == -1 { throw SystemError("fstat", path) }
    return FileStatus(status)
  }

  /// Reads from an offset until the buffer is full or the file ends, and returns the number of bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = buffer.part(count...)
      let result = SystemError.retrying {
        pread(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
      }
      if result == -1 { throw SystemError("pread", path) }
      if result == 0 { break }
      count += result
    }
    return count
  }

  /// Writes all of a buffer at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    var count = 0
    while count < bytes.count {
      let rest = bytes.part(count...)
      let result = SystemError.retrying {
        pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
      }
      if result == -1 { throw SystemError("pwrite", path) }
      count += result
    }
  }

  /// Truncates the file, or extends it with zeros.
  func truncate(to length: Int) throws(SystemError) {
    if SystemError.retrying({ Int(ftruncate(descriptor, off_t(length))) }) == -1 {
      throw SystemError("ftruncate", path)
    }
  }

  /// Allocates disk space for the first bytes, without changing them.
  func allocate(_ length: Int) throws(SystemError) {
    #if !canImport(Darwin)
      var code = EINTR
      while code == EINTR { code = posix_fallocate(descriptor, 0, off_t(length)) }
      if code != 0 { throw SystemError("posix_fallocate", path, code) }
    #endif
  }

  /// Returns when all written bytes are on stable storage.
  func sync() throws(SystemError) {
    #if canImport(Darwin)
      // fsync alone leaves the data in the drive's own cache.
      if SystemError.retrying({ Int(fcntl(descriptor, F_FULLFSYNC)) }) != -1 { return }
      let result = SystemError.retrying { Int(fsync(descriptor)) }
    #else
      let result = SystemError.retrying { Int(fdatasync(descriptor)) }
    #endif
    if result == -1 { throw SystemError("fdatasync", path) }
  }

  /// Reads from an offset into two buffers, one after the other, with one call if that is enough. Returns the number of
  /// bytes read.
  func read(
    into first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    let count = withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { vectors in
      vectors[0] = iovec(iov_base: first.baseAddress, iov_len: first.count)
      vectors[1] = iovec(iov_base: second.baseAddress, iov_len: second.count)
      return SystemError.retrying { preadv(descriptor, vectors.baseAddress, 2, off_t(offset)) }
    }
    if count == -1 { throw SystemError("preadv", path) }
    if count == first.count + second.count || count == 0 { return count }
    if count < first.count {
      let rest = first.part(count...)
      let more = try read(into: rest, at: offset + count)
      if more < rest.count { return count + more }
      return try first.count + read(into: second, at: offset + first.count)
    }
    let rest = second.part((count - first.count)...)
    return try count + read(into: rest, at: offset + count)
  }

  /// Writes two buffers one after the other, without joining them first.
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

  /// Throws the error that closing the file would: some network file systems report failed writes only then.
  ///
  /// A duplicate descriptor is closed, so the file stays open and locked.
  func finishWriting() throws(SystemError) {
    let second = Descriptors.opening { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    if second == -1 { throw SystemError("fcntl", path) }
    if close(second) == -1, errno != EINTR { throw SystemError("close", path) }
  }

  /// Takes an exclusive `flock` on the file, and waits for it. The system releases it when the process dies.
  func lock() throws(SystemError) {
    if SystemError.retrying({ Int(flock(descriptor, LOCK_EX)) }) == -1 { throw SystemError("flock", path) }
  }

  func unlock() { _ = SystemError.retrying { Int(flock(descriptor, LOCK_UN)) } }

  /// Maps the first bytes of the file. Changes are shared with all processes that map it, or stay private to this
  /// mapping.
  func map(_ length: Int, isShared: Bool) throws(SystemError) -> UnsafeMutableRawPointer {
    try Self.map(length, isShared ? MAP_SHARED : MAP_PRIVATE, descriptor, path)
  }

  /// Maps the first bytes of the file read-only; the mapping shows what other processes write.
  func readOnlyMap(_ length: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    try Self.map(length, MAP_SHARED, descriptor, path, PROT_READ)
  }

  /// Returns zeroed memory like `map`, without a file.
  static func memory(_ length: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    try map(length, MAP_PRIVATE | MAP_ANONYMOUS, -1, "memory")
  }

  private static func map(
    _ length: Int, _ flags: CInt, _ descriptor: CInt, _ path: String,
    _ protection: CInt = PROT_READ | PROT_WRITE
  ) throws(SystemError) -> UnsafeMutableRawPointer {
    let memory = mmap(nil, length, protection, flags, descriptor, 0)
    guard let memory, memory != MAP_FAILED else { throw SystemError("mmap", path) }
    return memory
  }

  /// Takes an exclusive `flock` until the file closes; `false` if another open file has it.
  func tryLock() throws(SystemError) -> Bool {
    if SystemError.retrying({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw SystemError("flock", path)
  }

  /// Calls `fcntl` on the file with a pointer.
  func command(_ code: CInt, _ argument: UnsafeMutableRawPointer) -> CInt {
    fcntl(descriptor, code, argument)
  }

  /// Sets the modification time to now, if the system allows it. Errors are ignored, since the time is only a hint.
  func touch() { futimens(descriptor, nil) }
}

extension File {
  /// Returns the bytes from an offset on, up to a limit or the end of the file.
  func bytes(_ limit: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    // Saves a call. An empty array is also a shared object, whose reference count would be written.
    if limit == 0 { return [] }
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      do throws(SystemError) {
        count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes bytes at an offset.
  func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(SystemError) in try write(buffer, at: offset) }
    }
    try result.get()
  }
}
