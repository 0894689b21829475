#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CLMDB
import StrataCore
import Synchronization

extension Environment {
  /// The purpose of a write, which determines how far the map may grow.
  enum Purpose {
    /// To store about this many bytes.
    case storing(bytes: Int)
    /// To remove entries. That needs some pages too, and may take them beyond the limit of the file.
    case removing
  }

  /// Runs `body` in the only write transaction, and commits. If the map was too small, runs it again.
  func write<R: Sendable>(
    _ durability: LMDBConfig.Durability, _ purpose: Purpose,
    _ body: (_ transaction: OpaquePointer) throws -> R
  ) throws -> R {
    if isReadOnly { throw StorageError.readOnly }
    return try writingAlone { writing in
      try set(durability, &writing)
      var isLastTry = false
      while true {
        do {
          return try attempt(body)
        } catch let error as LMDBError where error.code == MDB_MAP_FULL {
          if try makeRoom(for: purpose) { continue }
          if isLastTry { throw error }
          try releasePages()
          isLastTry = true
        } catch let error as LMDBError where error.code == MDB_MAP_RESIZED {
          try moveMap(to: 0)
        }
      }
    }
  }

  /// Runs `body` in a transaction that only reads, and keeps the databases that it opens.
  func opening<R>(_ body: (_ transaction: OpaquePointer) throws -> R) throws -> R {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun))
    guard let transaction = begun else { throw LMDBError(MDB_PANIC) }
    do {
      let result = try body(transaction)
      try check(mdb_txn_commit(transaction))
      return result
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
  }

  /// Adopts the size that another process gave the map.
  func adoptMap() throws { try writingAlone { _ in try moveMap(to: 0) } }

  private func writingAlone<R: Sendable>(_ body: (inout Writing) throws -> R) throws -> R {
    if readers.isGuest {
      throw StorageError.deadlock.with(
        "a write from inside a read of the value's bytes would wait for that read; write after it has returned"
      )
    }
    return try writing.withLock(body)
  }

  private func attempt<R>(_ body: (OpaquePointer) throws -> R) throws -> R {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, 0, &begun))
    guard let transaction = begun else { throw LMDBError(MDB_PANIC) }
    let result: R
    do {
      // Whoever takes the lease over from now on writes after this transaction.
      try StorageLease.current?.check()
      result = try body(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
    return result
  }

  /// The flags belong to the environment, the durability to a store: each writer sets its own.
  private func set(_ durability: LMDBConfig.Durability, _ writing: inout Writing) throws(LMDBError) {
    if durability == writing.durability { return }
    let flags: Int32 =
      switch durability {
      case .full: 0
      case .normal: MDB_NOMETASYNC
      case .off: MDB_NOSYNC
      }
    try check(mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC | MDB_NOSYNC), 0))
    if flags != 0 { try check(mdb_env_set_flags(handle, UInt32(flags), 1)) }
    writing.durability = durability
  }

  /// Enlarges the map, unless enough room was held by dead processes. Returns `false` at the size limit.
  private func makeRoom(for purpose: Purpose) throws -> Bool {
    var dead: Int32 = 0
    try check(mdb_reader_check(handle, &dead))
    if dead > 0 { return true }
    var information = MDB_envinfo()
    try check(mdb_env_info(handle, &information))
    let size = information.me_mapsize
    let limit = limit.load(ordering: .relaxed)
    let wanted =
      switch purpose {
      // A page holds less than its size, and replaced pages stay until no reader needs them: hence twice the bytes.
      case .storing(let bytes): Self.mapSize(max(2 * size, size + 2 * bytes), limit: limit)
      case .removing: Self.mapSize(2 * size, limit: limit + (1 << 20))
      }
    if wanted <= size { return false }
    try probe(wanted)
    try moveMap(to: wanted)
    return true
  }

  /// Changes something and changes it back: pages freed by a commit become usable only two commits later.
  private func releasePages() throws {
    try attempt { transaction in
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
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    #endif
    let map = mmap(nil, size, PROT_NONE, flags, -1, 0)
    if map == MAP_FAILED { throw LMDBError(errno) }
    munmap(map, size)
  }

  /// Moves the map; size 0 stands for the size that another process gave it.
  private func moveMap(to size: Int) throws {
    try readers.alone { try check(mdb_env_set_mapsize(handle, size)) }
  }
}
