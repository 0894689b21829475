#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Disk space reserved behind the end of a file. No other program can use it, and it shows only in the disk's free
/// space.
extension File {
  /// Returns the bytes that this user may still write to the file system, without regard to quotas.
  func freeBytes() throws(SystemError) -> Int {
    var status = statvfs()
    var result: CInt = -1
    repeat { result = fstatvfs(descriptor, &status) } while result == -1 && errno == EINTR
    if result == -1 { throw SystemError("fstatvfs", path) }
    let (bytes, isMore) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isMore ? .max : Int(clamping: bytes)
  }

  /// Reserves bytes; `false` if the disk is too full, or the file system does not support it.
  func keepRoom(_ count: Int, behind length: Int) throws(SystemError) -> Bool {
    guard let fallocate = Self.fallocate else { return false }
    if try status().allocated >= length + count { return true }
    var result: CInt = -1
    repeat {
      result = fallocate(descriptor, Self.keepSize, Int64(length), Int64(count))
    } while result == -1
      && errno == EINTR
    if result == 0 { return true }
    // A part of the space may have been reserved.
    try giveBackRoom(behind: length)
    return false
  }

  /// Releases the reserved space; `false` if there is none.
  @discardableResult
  func giveBackRoom(behind length: Int) throws(SystemError) -> Bool {
    let before = try status().allocated
    try truncate(to: length)
    return try status().allocated < before
  }

  /// `FALLOC_FL_KEEP_SIZE`, part of the kernel's interface.
  private static let keepSize: CInt = 1

  private typealias Allocate = @convention(c) (CInt, CInt, Int64, Int64) -> CInt

  /// `fallocate`, if the system has it. The C headers declare it only with the GNU extensions enabled.
  private static let fallocate: Allocate? = systemFunction("fallocate64")
}
