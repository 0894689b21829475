#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension File {
  /// Returns whether the file has lost its last name.
  ///
  /// Only the number of links is requested. After a program has asked Linux for a file's times, the next write must
  /// give the file a new time, which goes to the file system's journal: `fstat` before each write doubles the write's
  /// cost.
  func isUnlinked() throws(SystemError) -> Bool {
    if let count = countOfLinks() { return count == 0 }
    return try status().isUnlinked
  }

  /// Returns the number of names; `nil` if the system cannot return it alone.
  private func countOfLinks() -> UInt32? {
    guard let statx = Self.statx else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      guard let start = buffer.baseAddress,
        statx(descriptor, "", Self.emptyPath, Self.linkCount, start) == 0
      else { return nil }
      let (mask, count) = (
        start.load(as: UInt32.self), start.load(fromByteOffset: 16, as: UInt32.self)
      )
      return mask & Self.linkCount != 0 ? count : nil
    }
  }

  /// `AT_EMPTY_PATH` and `STATX_NLINK`. They and the offset of the count in the result are part of the kernel's
  /// interface.
  private static let emptyPath: CInt = 0x1000
  private static let linkCount: UInt32 = 4

  private typealias Statx =
    @convention(c) (CInt, UnsafePointer<CChar>, CInt, UInt32, UnsafeMutableRawPointer) -> CInt

  /// `statx`, if the system has it. The C headers declare it only with the GNU extensions enabled.
  private static let statx: Statx? = {
    #if canImport(Darwin)
      return nil
    #else
      return dlsym(nil, "statx").map { unsafeBitCast($0, to: Statx.self) }
    #endif
  }()
}
