#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataEngines
import Synchronization

/// An LMDB environment: a folder with one memory-mapped data file that holds many databases.
///
/// A process may open an environment only once, so its stores share this object through `SharedEngines`.
final class Environment: Sendable {
  /// The maximum number of databases open in one environment: cheap, and each store uses five.
  static let databases: UInt32 = 2560
  /// The maximum number of concurrent reads in this process; further ones wait.
  static let concurrentReads = 128
  /// The map size without a limit: more addresses than any machine has, and small enough that sums do not overflow.
  private static let noLimit = 1 << 56

  private static let shared = SharedEngines<Environment> { $0.end() }

  // Safe to share: any thread may begin transactions on an LMDB environment, and `writing` and `readers` exclude the
  // combinations that LMDB does not allow.
  nonisolated(unsafe) let handle: OpaquePointer
  /// A thread begins its search at one of sixteen readers, so that a process rarely uses more places in LMDB's table.
  let readers = Lanes(count: concurrentReads, starts: 16) { Reader() }
  /// The threads that run callers' code inside reads. They must not write: the write could wait for the read.
  let guests = KeyOrder<Int>(shards: 1)
  /// A lock, held by the writer, and while the map moves. It guards the current durability of the environment; without
  /// flags that is `.full`.
  let writing = Locked(LMDBConfig.Durability.full)
  /// Whether the map is lost: LMDB has none after a failure to move it.
  let isBroken = Atomic(false)
  /// Per-key ordering of the updates in this process.
  let updates = KeyOrder<TableKey>()
  /// The maximum size of the map.
  let limit: Atomic<Int>
  /// The size of a page.
  let pageSize: Int
  /// Whether the file is only read.
  let isReadOnly: Bool

  /// Returns the environment of a folder, which is created if missing. All callers share it while at least one of them
  /// holds it.
  static func lease(_ config: LMDBConfig) throws -> EngineLease<Environment> {
    let file = try Self.file(inFolder: config.path, isReadOnly: config.isReadOnly)
    let limit = config.maxFileSize == 0 ? noLimit : Int(min(config.maxFileSize, UInt(noLimit)))
    let lease = try shared.lease(file.text) {
      let size = mapSize(max(config.firstMapSize, 2 * file.size), limit: limit)
      return try Environment(config, mapSize: size, limit: limit)
    }
    if lease.engine.isReadOnly != config.isReadOnly {
      throw StorageError.invalidConfiguration.with(
        "this process has the folder open for \(config.isReadOnly ? "writing" : "reading only"), and LMDB cannot open it "
          + "twice; open all its stores for writing")
    }
    lease.engine.limit.max(limit, ordering: .relaxed)
    return lease
  }

  /// Returns the identity of the data file. Creates a missing file, its folder and the folders above, with access for
  /// the user alone, unless it is to be read only.
  private static func file(inFolder folder: String, isReadOnly: Bool) throws -> FileIdentity {
    let path = folder + "/data.mdb"
    if !isReadOnly { try StorePath.makeFolder(folder) }
    if FileIdentity(path: path) == nil, errno == ENOENT, !isReadOnly {
      // LMDB treats an empty file as a new one. `lock.mdb` must not be opened like this: closing it would release
      // LMDB's locks.
      let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      if descriptor == -1 { throw LMDBError(errno) }
      close(descriptor)
    }
    guard let file = FileIdentity(path: path) else { throw LMDBError(errno) }
    // Opening another kind of file, such as a pipe, could block for ever.
    if !file.isRegular { throw LMDBError(MDB_INVALID) }
    return file
  }

  private init(_ config: LMDBConfig, mapSize: Int, limit: Int) throws(LMDBError) {
    var environment: OpaquePointer?
    try check(mdb_env_create(&environment))
    guard let environment else { throw LMDBError(ENOMEM) }
    do throws(LMDBError) {
      try check(mdb_env_set_mapsize(environment, mapSize))
      try check(mdb_env_set_maxdbs(environment, Self.databases))
      try check(mdb_env_set_maxreaders(environment, config.readerSlots))
      try check(
        mdb_env_open(
          environment, config.path, UInt32(MDB_NOTLS | (config.isReadOnly ? MDB_RDONLY : 0)), 0o600))
      // LMDB lets child programs inherit this descriptor.
      var descriptor: mdb_filehandle_t = -1
      try check(mdb_env_get_fd(environment, &descriptor))
      if fcntl(descriptor, F_SETFD, FD_CLOEXEC) == -1 { throw LMDBError(errno) }
      // Reader entries of dead processes would keep old pages from being reused.
      var dead: Int32 = 0
      try check(mdb_reader_check(environment, &dead))
    } catch {
      mdb_env_close(environment)
      throw error
    }
    var status = MDB_stat()
    mdb_env_stat(environment, &status)
    pageSize = Int(status.ms_psize)
    handle = environment
    isReadOnly = config.isReadOnly
    self.limit = Atomic(limit)
  }

  /// Returns a valid size for a map: whole pages on any machine.
  static func mapSize(_ wanted: Int, limit: Int) -> Int { max(1, min(wanted, limit) >> 16) << 16 }

  private func end() {
    readers.alone({ if let transaction = $0.transaction { mdb_txn_abort(transaction) } }) {
      mdb_env_close(handle)
    }
  }
}
