internal import CRocksDB
import StrataCore

/// Changes that RocksDB makes as a whole or not at all.
struct WriteBatch: ~Copyable {
  private let handle: OpaquePointer = rocksdb_writebatch_create()

  deinit { rocksdb_writebatch_destroy(handle) }

  /// Writes the changes to the database.
  func write(to database: OpaquePointer, _ options: OpaquePointer) throws(RocksDBError) {
    try calling { rocksdb_write(database, options, handle, $0) }
  }

  /// Stores an entry, and its deadline if it has one.
  func put(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ expiry: Expiry, in family: Family
  ) {
    Record.withHead(expiry) { head in
      putParts(key, head, value, in: family)
      if case .date(let date) = expiry, let deadline = RecordKey.deadline(date, ofEntry: key) {
        deadline.withUnsafeBytes { put($0, head, in: family) }
      }
    }
  }

  /// Removes a record, if there is one.
  func remove(_ key: [UInt8], in family: Family) {
    key.withUnsafeBytes { rocksdb_writebatch_delete_cf(handle, family.handle, $0.characters, $0.count) }
  }

  /// Removes all records of stores in a family.
  func removeAll(in family: Family) {
    RecordKey.withBounds { rocksdb_writebatch_delete_range_cf(handle, family.handle, $0, 1, $1, 1) }
  }

  private func put(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, in family: Family) {
    rocksdb_writebatch_put_cf(
      handle, family.handle, key.characters, key.count, record.characters, record.count)
  }

  /// Stores a record from two parts. Small parts are joined here, since RocksDB takes longer to join them.
  private func putParts(
    _ key: UnsafeRawBufferPointer, _ head: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    in family: Family
  ) {
    if head.count + value.count <= Record.joinedSize {
      return Record.withJoined(head, value) { put(key, $0, in: family) }
    }
    let keys = [key.characters]
    let parts = [head.characters, value.characters]
    rocksdb_writebatch_putv_cf(
      handle, family.handle, 1, keys, [key.count], 2, parts, [head.count, value.count])
  }
}
