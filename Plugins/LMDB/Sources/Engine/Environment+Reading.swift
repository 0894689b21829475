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
}
