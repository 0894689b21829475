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
    /// The flags of durability that are set now.
    var durability: Int32 = 0
    /// The limit to the size of the map; 0 for none.
    var limit: Int
  }

  /// So many databases can be open in one environment: cheap, and no store needs more than three.
  static let databases: UInt32 = 1536
  private static let shared = SharedEngines<Environment> { $0.close() }

  // Safe to share: LMDB allows any thread to begin transactions on an environment, and what it does not allow at the same
  // time is kept apart by `writing` and `readers`.
  nonisolated(unsafe) let handle: OpaquePointer
  let readers = ReaderPool()
  /// Held by the one writer, and by whoever moves the map.
  let writing: Locked<Writing>
  /// The thread that holds `writing`; 0 if none does.
  let writer = Atomic<UInt>(0)
  /// The size of a page.
  let pageSize: Int

  /// The environment in a folder, which is made if need be; the same one for all who ask while anybody holds it.
  static func lease(
    inFolder path: String, as config: LMDBConfig
  ) throws -> EngineLease<Environment> {
    let file = try EnvironmentFile.make(inFolder: path)
    let limit = Int(clamping: config.maxFileSize)
    let lease = try shared.lease(file.text) {
      let size = mapSize(max(config.firstMapSize, 2 * file.size), limit: limit)
      return try Environment(path, mapSize: size, limit: limit, readerSlots: config.readerSlots)
    }
    lease.engine.writing.withLock { writing in
      writing.limit = limit == 0 || writing.limit == 0 ? 0 : max(limit, writing.limit)
    }
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
    writing = Locked(Writing(limit: limit))
  }

  /// A size that a map can have, in whole pages of any machine.
  static func mapSize(_ wanted: Int, limit: Int) -> Int {
    let size = limit == 0 ? wanted : min(wanted, limit)
    return max(1, size >> 16) << 16
  }

  private func close() {
    readers.end()
    mdb_env_close(handle)
  }
}
