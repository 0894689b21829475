#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataCore
import Synchronization

/// An LMDB environment: a folder with one memory-mapped data file that holds many databases.
///
/// A process may open an environment only once, so its stores share this object through `SharedEngines`.
final class Environment: Sendable {
  /// The maximum number of databases open in one environment: cheap, and each store uses three.
  static let databases: UInt32 = 1536
  /// More addresses than any machine has, and small enough that sums do not overflow.
  private static let noLimit = 1 << 56

  private static let shared = SharedEngines<Environment> { $0.close() }

  // Safe to share: any thread may begin transactions on an LMDB environment, and `writing` and `readers` exclude the
  // combinations that LMDB does not allow.
  nonisolated(unsafe) let handle: OpaquePointer
  let readers = ReaderPool()
  /// Held by the writer, and while the map moves. The current durability; without flags it is `.full`.
  let writing = Locked(LMDBConfig.Durability.full)
  /// Per-key ordering of the updates in this process.
  let updates = KeyOrder<TableKey>()
  /// The maximum size of the map.
  let limit: Atomic<Int>
  /// The size of a page.
  let pageSize: Int
  /// Whether the file is only read.
  let isReadOnly: Bool

  /// Returns the environment of a folder, which is created if missing. All callers share it as long as one of them
  /// holds it.
  static func lease(
    inFolder path: String, as config: LMDBConfig
  ) throws -> EngineLease<Environment> {
    let file = try EnvironmentFile.make(inFolder: path, isReadOnly: config.isReadOnly)
    let limit = config.maxFileSize == 0 ? noLimit : Int(min(config.maxFileSize, UInt(noLimit)))
    let lease = try shared.lease(file.text) {
      let size = mapSize(max(config.firstMapSize, 2 * file.size), limit: limit)
      return try Environment(path, mapSize: size, limit: limit, config)
    }
    if lease.engine.isReadOnly != config.isReadOnly {
      throw StorageError.invalidConfiguration.with(
        "this process has the folder open for \(config.isReadOnly ? "writing" : "reading only"), and LMDB cannot open it "
          + "twice; open all its stores for writing", place: path)
    }
    lease.engine.limit.max(limit, ordering: .relaxed)
    return lease
  }

  private init(_ path: String, mapSize: Int, limit: Int, _ config: LMDBConfig) throws(LMDBError) {
    var environment: OpaquePointer?
    try check(mdb_env_create(&environment))
    guard let environment else { throw LMDBError(ENOMEM) }
    do throws(LMDBError) {
      try check(mdb_env_set_mapsize(environment, mapSize))
      try check(mdb_env_set_maxdbs(environment, Self.databases))
      try check(mdb_env_set_maxreaders(environment, config.readerSlots))
      try check(
        mdb_env_open(environment, path, UInt32(MDB_NOTLS | (config.isReadOnly ? MDB_RDONLY : 0)), 0o600))
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

  private func close() {
    readers.end()
    mdb_env_close(handle)
  }
}
