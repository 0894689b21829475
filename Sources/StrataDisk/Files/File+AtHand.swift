#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension File {
  /// Reads from an offset what the system has in memory, and returns the number of bytes read: fewer than asked for
  /// where the file ends or the rest would have to come from the disk.
  ///
  /// Throws with the code `EAGAIN` if all of it would have to, and with one of `neverAtHand` if the file system cannot
  /// tell.
  func readAtHand(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    guard let preadv2 = Self.preadv2 else { throw SystemError("preadv2", path, ENOSYS) }
    var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
    let count = preadv2(descriptor, &vector, 1, Int64(offset), Self.withoutWaiting)
    if count == -1 { throw SystemError("preadv2", path) }
    return count
  }

  /// The codes that say that no read of this file will ever be one without waiting.
  static let neverAtHand: Set<CInt> = [ENOSYS, EOPNOTSUPP, EINVAL]

  /// `RWF_NOWAIT`, which is part of the kernel's interface and so the same for ever.
  private static let withoutWaiting: CInt = 8

  private typealias Read =
    @convention(c) (CInt, UnsafePointer<iovec>?, CInt, Int64, CInt) -> Int

  /// `preadv2`, where the system has it: its headers show it only to who asks for the extensions of GNU.
  private static let preadv2: Read? = {
    #if canImport(Darwin)
      return nil
    #else
      return dlsym(nil, "preadv64v2").map { unsafeBitCast($0, to: Read.self) }
    #endif
  }()
}
