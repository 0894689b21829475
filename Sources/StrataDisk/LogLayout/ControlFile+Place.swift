#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// The lock of the folder, for every change that relies on file names.
///
/// Another program may delete or move the control file alone. The next process that opens the log then makes a new one,
/// with a lock of its own, while others still use the old one. Both share the folder. So a process that opens the log
/// locks the folder (`flock`) until the log can be used. A process that is about to make, move, delete or truncate
/// files locks the folder too, and only then checks that its control file is in place. Until it releases the lock, no
/// other process can rebuild the control file.
///
/// Appending a record to the last segment needs no lock of the folder: `LogSession.append` detects in the segment that
/// the control file was rebuilt.
///
/// The lock of the log is always taken first. On a file system that cannot lock a folder, there is only the check.
extension ControlFile {
  static func openFolder(_ folder: EntryFolder) throws(SystemError) -> File {
    // The path itself may be a symlink.
    try File(folder.path(of: "."), O_RDONLY)
  }

  /// Locks the folder until `unlock`, unless it is locked already. Returns whether the path still leads to the control
  /// file.
  ///
  /// Only for the process that holds the lock of the log.
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

  /// Returns whether the control file now at the path was rebuilt from a log with this secret that reached at least a
  /// given position.
  static func isTakenOver(upTo end: LogPosition, _ secret: Secret, _ path: String) throws(SystemError) -> Bool
  {
    guard let bytes = try File.existing(path)?.bytes(size, at: 0), bytes.count == size else { return false }
    let (low, high, position): (UInt64, UInt64, UInt64) = bytes.withUnsafeBytes {
      ($0.number(at: 16), $0.number(at: 24), $0.number(at: 264))
    }
    return Secret(low: low, high: high) == secret && end <= LogPosition(bits: position)
  }
}
