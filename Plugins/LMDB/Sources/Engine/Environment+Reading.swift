internal import CLMDB
import StrataCore

extension Environment {
  /// Runs `body` in a read transaction, which sees one state of all databases and waits for no writer.
  @inline(__always)
  func read<R>(_ body: (_ transaction: OpaquePointer, _ slot: ReaderPool.Slot) throws -> R) throws -> R {
    var slot = try readers.take()
    var renewed = slot.pointee.transaction
    if renewed == nil || mdb_txn_renew(renewed) != MDB_SUCCESS {
      (renewed, slot) = try begin(in: slot)
    }
    guard let transaction = renewed else { throw LMDBError(MDB_PANIC) }
    defer {
      mdb_txn_reset(transaction)
      readers.giveBack(slot)
    }
    return try body(transaction, slot)
  }

  /// Handles the rare cases: a slot that has no transaction yet, and a failed renewal.
  @inline(never)
  private func begin(in taken: ReaderPool.Slot) throws -> (OpaquePointer, ReaderPool.Slot) {
    var slot = taken
    while true {
      do throws(LMDBError) {
        return (try begin(slot), slot)
      } catch {
        readers.giveBack(slot)
        switch error.code {
        case MDB_MAP_RESIZED:
          try adoptMap()
          slot = try readers.take()
        case MDB_READERS_FULL:
          guard let equipped = readers.takeEquipped() else { throw error }
          slot = equipped
        default: throw error
        }
      }
    }
  }

  private func begin(_ slot: ReaderPool.Slot) throws(LMDBError) -> OpaquePointer {
    if let transaction = slot.pointee.transaction {
      try check(mdb_txn_renew(transaction))
      return transaction
    }
    var transaction: OpaquePointer?
    var code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    if code == MDB_READERS_FULL {
      var dead: Int32 = 0
      try check(mdb_reader_check(handle, &dead))
      code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    }
    try check(code)
    guard let transaction else { throw LMDBError(MDB_PANIC) }
    slot.pointee.transaction = transaction
    return transaction
  }
}
