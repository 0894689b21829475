/// Room on the disk for removals: see `LogSession.keepRoom`.
extension ControlFile {
  /// How much room the disk has.
  func freeBytes() throws(SystemError) -> Int { try file?.freeBytes() ?? .max }

  /// Keeps room on the disk, for when it is full; `false` if there is none.
  func keepRoom(_ bytes: Int) throws(SystemError) -> Bool {
    try file?.keepRoom(bytes, behind: Self.size) ?? false
  }

  /// Gives back the room that is kept; `false` if there is none.
  func giveBackRoom() throws(SystemError) -> Bool { try file?.giveBackRoom(behind: Self.size) ?? false }
}
