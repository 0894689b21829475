#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Locks on single bytes of a file, which need not exist. They belong to the open file, so they exclude other stores of
/// this process too. The system releases them when the file is closed or the process dies.
extension File {
  /// Locks a byte; `false` if another open file has the lock, `nil` if this system has no such locks.
  func tryHold(byte: UInt64) throws(SystemError) -> Bool? {
    #if canImport(Darwin)
      nil
    #else
      var range = Self.range(F_WRLCK, byte)
      if SystemError.retrying({ Int(command(Command.set, &range)) }) != -1 { return true }
      switch errno {
      case EAGAIN, EACCES: return false
      case EINVAL: return nil
      default: throw SystemError("fcntl", path)
      }
    #endif
  }

  /// Returns whether another open file has the lock of a byte.
  func isHeld(byte: UInt64) throws(SystemError) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      var range = Self.range(F_RDLCK, byte)
      if SystemError.retrying({ Int(command(Command.get, &range)) }) == -1 {
        throw SystemError("fcntl", path)
      }
      return Int32(range.l_type) != F_UNLCK
    #endif
  }

  #if !canImport(Darwin)
    /// Linux's open file description locks, which the C headers declare only with the GNU extensions enabled.
    private enum Command {
      static let get: CInt = 36
      static let set: CInt = 37
    }

    private static func range(_ kind: CInt, _ byte: UInt64) -> flock {
      flock(l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: off_t(byte), l_len: 1, l_pid: 0)
    }
  #endif
}
