#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
internal import CRocksDB
public import StrataEngines

extension RocksDBEngine {
  /// Stores and removes records as one write.
  public func write(_ changes: [EngineChange]) throws {
    try write(lent: changes.count) { write in
      for change in changes {
        try change.key.withUnsafeBytes { key in
          guard let record = change.record else { return try write(key, nil) }
          try record.withUnsafeBytes { try write(key, $0) }
        }
      }
    }
  }

  /// Stores and removes records as one write, which copies the bytes.
  public func write(lent count: Int, _ each: (LentChange) throws -> Void) throws {
    try refuseReadOnly()
    // One record needs no batch, which would cost an allocation and a copy.
    if count == 1 { return try each(write) }
    let batch: OpaquePointer = rocksdb_writebatch_create()
    defer { rocksdb_writebatch_destroy(batch) }
    try each { key, record in
      if let record {
        rocksdb_writebatch_put_cf(
          batch, family.handle, key.characters, key.count, record.characters, record.count)
      } else {
        rocksdb_writebatch_delete_cf(batch, family.handle, key.characters, key.count)
      }
    }
    try calling { rocksdb_write(family.database, writing, batch, $0) }
  }

  private func write(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer?) throws {
    try calling { error in
      if let record {
        rocksdb_put_cf(
          family.database, writing, family.handle, key.characters, key.count, record.characters, record.count,
          error)
      } else {
        rocksdb_delete_cf(family.database, writing, family.handle, key.characters, key.count, error)
      }
    }
  }

  /// Removes a range of records as one write, and deletes tables whose records are all in the range.
  public func removeRecords(from lower: [UInt8], until upper: [UInt8]) throws {
    try refuseReadOnly()
    try withBounds(lower, upper) { lower, upper in
      let batch: OpaquePointer = rocksdb_writebatch_create()
      defer { rocksdb_writebatch_destroy(batch) }
      rocksdb_writebatch_delete_range_cf(
        batch, family.handle, lower.characters, lower.count, upper.characters, upper.count)
      try calling { rocksdb_write(family.database, writing, batch, $0) }
      // No other write runs: these tables hold only the records removed above. If they cannot be deleted, RocksDB
      // merges them some time.
      do {
        try calling {
          rocksdb_delete_file_in_range_cf(
            family.database, family.handle, lower.characters, lower.count, upper.characters, upper.count, $0)
        }
      } catch {}
    }
  }

  /// Merges the newest tables: they are not deleted with a range, although their records have been removed.
  public func reclaimSpace(from lower: [UInt8], until upper: [UInt8]) {
    var tableBytes: UInt64 = 0
    rocksdb_property_int_cf(family.database, family.handle, "rocksdb.total-sst-files-size", &tableBytes)
    if tableBytes == 0 { return }
    withBounds(lower, upper) { lower, upper in
      rocksdb_compact_range_cf(
        family.database, family.handle, lower.characters, lower.count, upper.characters, upper.count)
    }
  }

  func compact() { rocksdb_compact_range_cf(family.database, family.handle, nil, 0, nil, 0) }

  private func withBounds<R>(
    _ lower: [UInt8], _ upper: [UInt8],
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    try lower.withUnsafeBytes { lower in try upper.withUnsafeBytes { try body(lower, $0) } }
  }
}
