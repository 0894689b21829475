#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataEngines
import Synchronization

extension Environment {
  /// Runs `body` in the only write transaction, and commits. Enlarges a map that is too small, and runs `body` again.
  ///
  /// `bytes` is the approximate number of bytes to store, or `nil` if entries are only removed. A removal needs some
  /// pages too, and may exceed the limit of the file for them.
  func write<R: Sendable>(
    _ durability: LMDBConfig.Durability, storing bytes: Int?,
    _ body: (_ transaction: OpaquePointer) throws -> R
  ) throws -> R {
    if isReadOnly { throw StorageError.readOnly }
    return try writingAlone { current in
      if durability != current { try set(durability) }
      current = durability
      var isLastTry = false
      while true {
        do {
          return try attempt(0, body)
        } catch let error as LMDBError where error.code == MDB_MAP_FULL {
          if try makeRoom(storing: bytes) { continue }
          if isLastTry { throw error }
          try releasePages()
          isLastTry = true
        } catch let error as LMDBError where error.code == MDB_MAP_RESIZED {
          try moveMap(to: 0)
        }
      }
    }
  }

  /// Adopts the size that another process gave the map.
  func adoptMap() throws { try writingAlone { _ in try moveMap(to: 0) } }

  private func writingAlone<R: Sendable>(_ body: (inout LMDBConfig.Durability) throws -> R) throws -> R {
    if KeyOrder<Int>.isThreadInTurn, guests.isThreadChanging {
      throw StorageError.deadlock.with(
        "a write inside `withBytes(forKey:_:)` would wait for this read forever; write after the closure has returned"
      )
    }
    return try writing.withLock(body)
  }

  /// Runs `body` in one transaction with LMDB's flags, and commits.
  func attempt<R>(_ flags: Int32, _ body: (OpaquePointer) throws -> R) throws -> R {
    if isBroken.load(ordering: .relaxed) { throw LMDBError(MDB_PANIC) }
    var begun: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, UInt32(flags), &begun))
    guard let transaction = begun else { throw LMDBError(MDB_PANIC) }
    let result: R
    do {
      result = try body(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
    return result
  }

  /// The flags belong to the environment, the durability to a store: each writer sets its own.
  private func set(_ durability: LMDBConfig.Durability) throws(LMDBError) {
    try check(mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC | MDB_NOSYNC), 0))
    switch durability {
    case .full: break
    case .normal: try check(mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 1))
    case .off: try check(mdb_env_set_flags(handle, UInt32(MDB_NOSYNC), 1))
    }
  }

  /// Makes room for a write: removes the readers of dead processes, or if there are none enlarges the map. Returns
  /// `false` at the size limit.
  private func makeRoom(storing bytes: Int?) throws -> Bool {
    var dead: Int32 = 0
    try check(mdb_reader_check(handle, &dead))
    if dead > 0 { return true }
    var information = MDB_envinfo()
    try check(mdb_env_info(handle, &information))
    let size = information.me_mapsize
    let limit = limit.load(ordering: .relaxed)
    // A page holds less than its size, and replaced pages stay until no reader needs them: hence twice the bytes.
    let wanted =
      bytes.map { Self.mapSize(max(2 * size, size + 2 * $0), limit: limit) }
      ?? Self.mapSize(2 * size, limit: limit + (1 << 20))
    if wanted <= size { return false }
    try probe(wanted)
    try moveMap(to: wanted)
    return true
  }

  /// Commits a write without effect: pages freed by a commit become usable only two commits later.
  private func releasePages() throws {
    try attempt(0) { transaction in
      var database: MDB_dbi = 0
      try check(mdb_dbi_open(transaction, nil, 0, &database))
      try Array("strata".utf8).withUnsafeBytes { name in
        var name = MDB_val(name)
        var nothing = MDB_val()
        try check(mdb_put(transaction, database, &name, &nothing, 0))
        try check(mdb_del(transaction, database, &name, nil))
      }
    }
  }

  /// Checks that the system can provide a larger map. LMDB releases the old map before it creates the new one, and is
  /// unusable if that fails.
  private func probe(_ size: Int) throws(LMDBError) {
    let map = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
    if map == MAP_FAILED { throw LMDBError(errno) }
    munmap(map, size)
  }

  /// Moves the map when no read runs; size 0 stands for the size that another process gave it.
  private func moveMap(to size: Int) throws {
    try readers.aloneYielding {
      do { try check(mdb_env_set_mapsize(handle, size)) } catch {
        isBroken.store(true, ordering: .relaxed)
        throw error
      }
    }
  }
}
