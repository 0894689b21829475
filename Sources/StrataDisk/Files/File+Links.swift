#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension File {
  /// Whether it has lost its last name.
  ///
  /// Nothing else is asked of the system. When a program asks Linux for the times of a file, the next write must give
  /// it a time of its own, which goes to the file system's journal: `fstat` before each write doubles the write's cost.
  func isUnlinked() throws(SystemError) -> Bool {
    if let count = countOfLinks() { return count == 0 }
    return try status().isUnlinked
  }

  /// The number of names; `nil` if it cannot be had alone.
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

  /// `AT_EMPTY_PATH` and `STATX_NLINK`, parts of the kernel's interface, as is the place of the count in its answer.
  private static let emptyPath: CInt = 0x1000
  private static let linkCount: UInt32 = 4

  private typealias Statx =
    @convention(c) (CInt, UnsafePointer<CChar>, CInt, UInt32, UnsafeMutableRawPointer) -> CInt

  /// `statx`, where the system has it: its headers show it only to who asks for the extensions of GNU.
  private static let statx: Statx? = {
    #if canImport(Darwin)
      return nil
    #else
      return dlsym(nil, "statx").map { unsafeBitCast($0, to: Statx.self) }
    #endif
  }()
}
