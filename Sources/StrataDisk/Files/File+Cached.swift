#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension File {
  /// Reads bytes from an offset if they are in the page cache, and returns their number. It is less than requested
  /// where the file ends or the rest would have to come from the disk.
  ///
  /// Throws with the code `EAGAIN` if no byte is cached, and with a code of `neverCached` if the file system does not
  /// support such reads.
  func readCached(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    guard let preadv2 = Self.preadv2 else { throw SystemError("preadv2", path, ENOSYS) }
    var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
    let count = preadv2(descriptor, &vector, 1, Int64(offset), Self.withoutWaiting)
    if count == -1 { throw SystemError("preadv2", path) }
    return count
  }

  /// Returns the result of `body`, which calls `readCached`; `nil` if the bytes are not in the page cache, or the file
  /// system cannot tell.
  func whenCached<R>(_ body: () throws -> R) throws -> R? {
    do { return try body() } catch let error as SystemError
      where error.code == EAGAIN || Self.neverCached.contains(error.code)
    {
      return nil
    }
  }

  /// The codes of file systems that do not support such a read.
  static let neverCached: Set<CInt> = [ENOSYS, EOPNOTSUPP, EINVAL]

  /// `RWF_NOWAIT`, whose value is part of the kernel's stable interface.
  private static let withoutWaiting: CInt = 8

  private typealias Read =
    @convention(c) (CInt, UnsafePointer<iovec>?, CInt, Int64, CInt) -> Int

  /// `preadv2`, if the system has it. The C headers declare it only with the GNU extensions enabled.
  private static let preadv2: Read? = systemFunction("preadv64v2")
}
