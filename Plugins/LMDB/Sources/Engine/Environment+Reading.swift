internal import CLMDB
import StrataEngines
import Synchronization

/// A read transaction that is reused by later reads.
///
/// Unchecked: only the thread that has its lane uses it.
struct Reader: @unchecked Sendable { var transaction: OpaquePointer? }

extension Environment {
  /// Runs `body` in a read transaction, which sees one state of all databases and waits for no writer.
  @inline(__always)
  func read<R: Sendable>(_ body: (_ transaction: OpaquePointer) throws -> R) throws -> R {
    do { return try readers.withFree { try run(body, with: &$0) } } catch let error as LMDBError {
      return try read(after: error, body)
    }
  }

  /// Repeats a read that could not begin. Throws the error unless its cause can be removed.
  @inline(never)
  private func read<R: Sendable>(after error: LMDBError, _ body: (OpaquePointer) throws -> R) throws -> R {
    do {
      if error.code == MDB_MAP_RESIZED {
        try adoptMap()
        return try readers.withFree { try run(body, with: &$0) }
      }
      // LMDB's table of readers is full. A read transaction that this process keeps in the table can be reused.
      if error.code == MDB_READERS_FULL,
        let result = try readers.withFree(where: { $0.transaction != nil }, { try run(body, with: &$0) })
      {
        return result
      }
    } catch let error as LMDBError { return try read(after: error, body) }
    throw error
  }

  @inline(__always)
  private func run<R>(_ body: (OpaquePointer) throws -> R, with reader: inout Reader) throws -> R {
    if isBroken.load(ordering: .relaxed) { throw LMDBError(MDB_PANIC) }
    try check(reader.transaction.map { mdb_txn_renew($0) } ?? begin(&reader))
    guard let transaction = reader.transaction else { throw LMDBError(MDB_PANIC) }
    if maySeeUnfinishedCommit(transaction) { try check(beginAgain(transaction)) }
    defer { mdb_txn_reset(transaction) }
    return try body(transaction)
  }

  /// Begins the first read of a lane. Returns LMDB's code.
  @inline(never)
  private func begin(_ reader: inout Reader) -> Int32 {
    let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &reader.transaction)
    var dead: Int32 = 0
    if code != MDB_READERS_FULL || mdb_reader_check(handle, &dead) != MDB_SUCCESS { return code }
    return mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &reader.transaction)
  }

  /// Returns whether a read transaction may see a commit that has not finished.
  ///
  /// A commit writes its root in place of the root of the commit before the previous one. With `.full` it then waits
  /// for the disk, and at last publishes its number. LMDB begins a read with the published number N, and then copies
  /// the root that belongs to it: a thread that is suspended in between copies the root of commit N + 2, or of a later
  /// one, perhaps before its number is published. The thread's next read could then return an older value.
  ///
  /// Commit N + 2 begins only after N + 1 is published, so while the last root is that of N + 1, the copy is that of N.
  /// A root and its number are in one cache line, so the number also reveals a root that is being replaced.
  @inline(__always)
  private func maySeeUnfinishedCommit(_ transaction: OpaquePointer) -> Bool {
    // Reads the last root only after LMDB has copied the other.
    atomicMemoryFence(ordering: .acquiring)
    var information = MDB_envinfo()
    mdb_env_info(handle, &information)
    return information.me_last_txnid > mdb_txn_id(transaction) + 1
  }

  /// Begins a read transaction again until it sees only finished commits. Returns LMDB's code.
  @inline(never)
  private func beginAgain(_ transaction: OpaquePointer) -> Int32 {
    while true {
      let number = mdb_txn_id(transaction)
      mdb_txn_reset(transaction)
      // Reads the published number only after the last root, whose commit began when a greater number was published.
      atomicMemoryFence(ordering: .acquiring)
      let code = mdb_txn_renew(transaction)
      // The number stays the same only if `lock.mdb` does not belong to `data.mdb`, for example after a restore.
      if code != MDB_SUCCESS || mdb_txn_id(transaction) == number { return code }
      if !maySeeUnfinishedCommit(transaction) { return code }
    }
  }
}
