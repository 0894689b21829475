internal import CSQLite
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Connection {
  /// Throws if the file is read-only.
  func refuseReadOnly() throws {
    // SQLite silently opens a file that it cannot write for reading, and would only fail at the first write.
    if isReadOnly {
      throw StorageError.backendFailed.with(
        "the file can only be read, and a store must write; give it write permission, or choose another path")
    }
  }

  /// Switches the file to a write-ahead log, with which readers and a writer do not wait for each other. The mode is
  /// permanent.
  func useWriteAheadLog(within timeout: Duration) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      do {
        var mode = ""
        try rows("PRAGMA journal_mode = WAL") { row throws(SQLiteError) in mode = try row.text(0) ?? "" }
        if mode == "wal" { return }
        throw StorageError.backendFailed.with(
          "the file cannot have a write-ahead log (its journal mode stays \(String(reflecting: mode))): "
            + "a network file system does not support it")
      } catch let error as SQLiteError where error.code == SQLITE_BUSY && ContinuousClock.now < deadline {
        // Two processes open a new file at the same moment: SQLite does not wait for this lock by itself.
        usleep(1000)
      }
    }
  }
}

extension SQLiteConfig.Durability {
  /// The settings of the connection that writes.
  var pragmas: String {
    // Apple's disks keep written data in a cache, which only a full sync empties. On other systems the setting has no
    // effect.
    let durability =
      switch self {
      case .full: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON"
      case .normal: "PRAGMA synchronous = NORMAL; PRAGMA checkpoint_fullfsync = ON"
      case .off: "PRAGMA synchronous = OFF"
      }
    // Without a limit the log would keep the size of the largest transaction so far.
    return "\(durability); PRAGMA journal_size_limit = \(16 << 20)"
  }
}
