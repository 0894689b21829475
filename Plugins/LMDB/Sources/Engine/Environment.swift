#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataCore
import Synchronization

/// An LMDB environment: a folder with one file of data that many databases share, mapped into memory.
///
/// A process may open an environment only once: its stores share this through `SharedEngines`.
final class Environment: Sendable {
  struct Writing {
    /// The durability that is set now: at first, that of an environment without flags.
    var durability = LMDBConfig.Durability.full
  }

  /// So many databases can be open in one environment: cheap, and no store needs more than three.
  static let databases: UInt32 = 1536
  /// More addresses than any machine has, and sums of it do not overflow.
  private static let noLimit = 1 << 56

  private static let shared = SharedEngines<Environment> { $0.close() }

  // Safe to share: LMDB allows any thread to begin transactions on an environment, and what it does not allow at the
  // same time is kept apart by `writing` and `readers`.
  nonisolated(unsafe) let handle: OpaquePointer
  let readers = ReaderPool()
  /// Held by the one writer, and by whoever moves the map.
  let writing: Locked<Writing>
  /// The updates that run in this process, each with its key to itself.
  let updates = KeyOrder<TableKey>()
  /// The limit to the size of the map.
  let limit: Atomic<Int>
  /// The size of a page.
  let pageSize: Int

  /// The environment in a folder, which is made if need be; the same one for all who ask while anybody holds it.
  static func lease(
    inFolder path: String, as config: LMDBConfig
  ) throws -> EngineLease<Environment> {
    let file = try EnvironmentFile.make(inFolder: path)
    let limit = config.maxFileSize == 0 ? noLimit : Int(min(config.maxFileSize, UInt(noLimit)))
    let lease = try shared.lease(file.text) {
      let size = mapSize(max(config.firstMapSize, 2 * file.size), limit: limit)
      return try Environment(path, mapSize: size, limit: limit, readerSlots: config.readerSlots)
    }
    lease.engine.limit.max(limit, ordering: .relaxed)
    return lease
  }

  private init(_ path: String, mapSize: Int, limit: Int, readerSlots: UInt32) throws(LMDBError) {
    var environment: OpaquePointer?
    try check(mdb_env_create(&environment))
    guard let environment else { throw LMDBError(ENOMEM) }
    do throws(LMDBError) {
      try check(mdb_env_set_mapsize(environment, mapSize))
      try check(mdb_env_set_maxdbs(environment, Self.databases))
      try check(mdb_env_set_maxreaders(environment, readerSlots))
      try check(mdb_env_open(environment, path, UInt32(MDB_NOTLS), 0o600))
      // LMDB leaves this one open for programs that a process starts.
      var descriptor: mdb_filehandle_t = -1
      try check(mdb_env_get_fd(environment, &descriptor))
      if fcntl(descriptor, F_SETFD, FD_CLOEXEC) == -1 { throw LMDBError(errno) }
      // What dead processes left behind would keep old pages from being used again.
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
    writing = Locked(Writing())
    self.limit = Atomic(limit)
  }

  /// A size that a map can have, in whole pages of any machine.
  static func mapSize(_ wanted: Int, limit: Int) -> Int { max(1, min(wanted, limit) >> 16) << 16 }

  private func close() {
    readers.end()
    mdb_env_close(handle)
  }
}
