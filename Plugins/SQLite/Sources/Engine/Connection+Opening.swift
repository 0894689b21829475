internal import CSQLite
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Connection {
  /// Throws if nothing can be written to the file.
  func refuseReadOnly() throws {
    // SQLite opens a file for reading where it may not write; it would tell at the first write.
    if isReadOnly {
      throw StorageError.backendFailed.with(
        "the file can only be read, and a store writes; give it write permission, or choose another path")
    }
  }

  /// Puts the file into the mode in which readers and a writer do not wait for each other. It stays in it.
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
        // Two processes that open a new file at the same moment: for this SQLite does not wait by itself.
        usleep(1000)
      }
    }
  }
}

extension SQLiteConfig.Durability {
  /// What a connection that writes is told.
  var pragmas: String {
    // Apple's disks keep what they say is written in a cache of their own; only a full sync empties it. Elsewhere it is
    // no different.
    let durability =
      switch self {
      case .full: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON"
      case .normal: "PRAGMA synchronous = NORMAL; PRAGMA checkpoint_fullfsync = ON"
      case .off: "PRAGMA synchronous = OFF"
      }
    // Without a limit the log would keep the size of the largest transaction there ever was.
    return "\(durability); PRAGMA journal_size_limit = \(16 << 20)"
  }
}
