#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataCore
import Synchronization

extension Environment {
  /// Runs `body` in the one write transaction, and commits. It runs again if the map was too small: `bytes` is about what it
  /// will write.
  func write<R: Sendable>(
    _ durability: LMDBConfig.Durability, bytes: Int, _ body: (_ transaction: OpaquePointer) throws -> R
  ) throws -> R {
    try writingAlone { writing in
      try set(durability, &writing)
      while true {
        do {
          return try attempt(body)
        } catch let error as LMDBError where error.code == MDB_MAP_FULL {
          try makeRoom(for: bytes, writing, error)
        } catch let error as LMDBError where error.code == MDB_MAP_RESIZED {
          try moveMap(to: 0)
        }
      }
    }
  }

  /// Takes over the size that another process gave to the map.
  func adoptMap() throws { try writingAlone { _ in try moveMap(to: 0) } }

  /// Throws if this thread could only wait for itself.
  private func refuseInside() throws {
    if writer.load(ordering: .relaxed) == threadIdentity() {
      throw StorageError.deadlock.with(
        "a write from inside an update would wait for that update; write after it has returned")
    }
    if readers.isGuest {
      throw StorageError.deadlock.with(
        "a write from inside a read of the value's bytes would wait for that read; write after it has returned"
      )
    }
  }

  private func writingAlone<R: Sendable>(_ body: (inout Writing) throws -> R) throws -> R {
    try refuseInside()
    return try writing.withLock { writing throws in
      writer.store(threadIdentity(), ordering: .relaxed)
      defer { writer.store(0, ordering: .relaxed) }
      return try body(&writing)
    }
  }

  private func attempt<R>(_ body: (OpaquePointer) throws -> R) throws -> R {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, 0, &begun))
    guard let transaction = begun else { throw LMDBError(MDB_PANIC) }
    let result: R
    do { result = try body(transaction) } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
    return result
  }

  /// The flags belong to the environment, the durability to a store: each writer sets its own.
  private func set(_ durability: LMDBConfig.Durability, _ writing: inout Writing) throws(LMDBError) {
    let flags: Int32 =
      switch durability {
      case .full: 0
      case .normal: MDB_NOMETASYNC
      case .off: MDB_NOSYNC
      }
    if flags == writing.durability { return }
    try check(mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC | MDB_NOSYNC), 0))
    if flags != 0 { try check(mdb_env_set_flags(handle, UInt32(flags), 1)) }
    writing.durability = flags
  }

  /// Makes the map larger, unless what dead processes held was enough.
  private func makeRoom(for bytes: Int, _ writing: Writing, _ full: LMDBError) throws {
    var dead: Int32 = 0
    try check(mdb_reader_check(handle, &dead))
    if dead > 0 { return }
    var information = MDB_envinfo()
    try check(mdb_env_info(handle, &information))
    let size = information.me_mapsize
    // A page holds less than its size, and what is replaced stays until nobody reads it: hence twice the bytes.
    let wanted = Self.mapSize(max(2 * size, size + 2 * bytes), limit: writing.limit)
    guard wanted > size else { throw full }
    try probe(wanted)
    try moveMap(to: wanted)
  }

  /// LMDB lets the old map go before it makes the new one, and is lost if it cannot: so ask the system first.
  private func probe(_ size: Int) throws(LMDBError) {
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    #endif
    let map = mmap(nil, size, PROT_NONE, flags, -1, 0)
    if map == MAP_FAILED { throw LMDBError(errno) }
    munmap(map, size)
  }

  /// 0 is the size that another process gave it.
  private func moveMap(to size: Int) throws {
    try readers.alone { try check(mdb_env_set_mapsize(handle, size)) }
  }
}
