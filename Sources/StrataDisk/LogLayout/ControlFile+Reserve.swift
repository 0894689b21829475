/// Disk space reserved for removals: see `LogSession.keepRoom`.
extension ControlFile {
  /// Returns the free bytes of the disk.
  func freeBytes() throws(SystemError) -> Int { try file?.freeBytes() ?? .max }

  /// Reserves disk space for removals on a full disk; `false` if there is not enough.
  func keepRoom(_ bytes: Int) throws(SystemError) -> Bool {
    try file?.keepRoom(bytes, behind: Self.size) ?? false
  }

  /// Releases the reserved space; `false` if there is none.
  func giveBackRoom() throws(SystemError) -> Bool { try file?.giveBackRoom(behind: Self.size) ?? false }
}
