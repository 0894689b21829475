#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Detects whether a file may still be written: it has a name, and no process has closed it to all others.
///
/// A file is closed by the sticky bit among its permissions, which means nothing for a file, and so is never set
/// otherwise. Open descriptors can still write the file. A process that reads the bit after each write notices it.
extension File {
  /// Returns whether the file has lost its last name.
  func isUnlinked() throws(SystemError) -> Bool {
    if let state = writingState() { return state.links == 0 }
    return try status().isUnlinked
  }

  /// Returns whether the file has lost its last name, or was closed to all processes.
  func isUnlinkedOrClosed() throws(SystemError) -> Bool {
    if let state = writingState() { return state.links == 0 || state.isClosed }
    let status = try status()
    return status.isUnlinked || status.isClosed
  }

  /// Closes the file to all processes, or opens it again. Returns whether it is closed now: not every file system has
  /// the bit.
  @discardableResult
  func setClosed(_ isClosed: Bool) throws(SystemError) -> Bool {
    let status = try status()
    if status.isClosed == isClosed { return isClosed }
    let mode = isClosed ? status.permissions | S_ISVTX : status.permissions
    if SystemError.retrying({ Int(fchmod(descriptor, mode)) }) == -1 {
      if isClosed { return false }
      throw SystemError("fchmod", path)
    }
    return try self.status().isClosed
  }

  /// Returns the number of names, and whether the file is closed; `nil` if the system cannot return these alone.
  ///
  /// Nothing else is requested: after a program has read a file's times, Linux gives the file a new time at the next
  /// write, and writes that to the file system's journal. So `fstat` before each write doubles the write's cost.
  private func writingState() -> (links: UInt32, isClosed: Bool)? {
    guard let statx = Self.statx else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      guard let start = buffer.baseAddress,
        statx(descriptor, "", Self.emptyPath, Self.modeAndLinks, start) == 0
      else { return nil }
      let (mask, links, mode) = (
        start.load(as: UInt32.self), start.load(fromByteOffset: 16, as: UInt32.self),
        start.load(fromByteOffset: 28, as: UInt16.self)
      )
      guard mask & Self.modeAndLinks == Self.modeAndLinks else { return nil }
      return (links, mode_t(mode) & S_ISVTX != 0)
    }
  }

  /// `AT_EMPTY_PATH`, and `STATX_MODE | STATX_NLINK`. They and the offsets in the result are part of the kernel's
  /// interface.
  private static let emptyPath: CInt = 0x1000
  private static let modeAndLinks: UInt32 = 2 | 4

  private typealias Statx =
    @convention(c) (CInt, UnsafePointer<CChar>, CInt, UInt32, UnsafeMutableRawPointer) -> CInt

  /// `statx`, if the system has it. The C headers declare it only with the GNU extensions enabled.
  private static let statx: Statx? = systemFunction("statx")
}
