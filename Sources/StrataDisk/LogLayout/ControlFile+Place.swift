#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// The lock of the folder, for every change that goes by the names of files.
///
/// Somebody may delete or move the control file alone. The next process that opens the log then makes another one, with
/// a lock of its own, while others still use the one that is gone. The folder is the same for both. So a process that
/// opens the log locks the folder (`flock`) until the log can be used. A process that is about to make, move, delete or
/// cut off files locks the folder too, and only then looks whether its control file is in place: until it gives the
/// lock back, nobody can take the log over.
///
/// A record that is appended to the last segment needs no lock of the folder: if somebody has taken the log over,
/// `LogSession.append` sees it in the segment.
///
/// The lock of the log is always taken first. On a file system that cannot lock a folder, there is only the look.
extension ControlFile {
  static func openFolder(_ folder: EntryFolder) throws(SystemError) -> File {
    // The path itself may be a symlink.
    try File(folder.path(of: "."), O_RDONLY)
  }

  /// Locks the folder until `unlock`, unless it is locked already; returns whether the path still leads to the file.
  ///
  /// Only for the process that has the lock of the log.
  func holdPlace() throws(SystemError) -> Bool {
    if !holdsPlace.load(ordering: .relaxed) {
      do throws(SystemError) {
        try place?.lock()
      } catch let error where [EBADF, EINVAL, EOPNOTSUPP].contains(error.code) {}
      holdsPlace.store(true, ordering: .relaxed)
    }
    return try isInPlace()
  }

  func releasePlace() {
    guard holdsPlace.load(ordering: .relaxed) else { return }
    place?.unlock()
    holdsPlace.store(false, ordering: .relaxed)
  }

  /// Whether the control file that has the path now was made from a log with this secret that went on up to a position
  /// at least.
  static func isTakenOver(upTo end: LogPosition, _ secret: Secret, _ path: String) throws(SystemError) -> Bool
  {
    do throws(SystemError) {
      let file = try File(path, O_RDONLY)
      let bytes = try file.bytes(size, at: 0)
      guard bytes.count == size else { return false }
      let (low, high, position): (UInt64, UInt64, UInt64) = bytes.withUnsafeBytes {
        ($0.number(at: 16), $0.number(at: 24), $0.number(at: 264))
      }
      return Secret(low: low, high: high) == secret && end <= LogPosition(bits: position)
    } catch let error where error.code == ENOENT {
      return false
    }
  }
}
