#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
internal import CLMDB
import StrataCore

extension EntryTable {
  func entry(forKey key: String) throws -> Entry<Data>? {
    try withRecord(forKey: key) { record, _ in Self.entry(record) }
  }

  func expiry(forKey key: String) throws -> Expiry? {
    try withRecord(forKey: key) { record, _ in record?.header.expiry }
  }

  /// Returns the entries of many keys, as a snapshot of one moment.
  func entries<Key: Hashable>(forKeys keys: [Key], text: (Key) -> String) throws -> [Key: Entry<Data>] {
    try environment.read { transaction, _ in
      var found: [Key: Entry<Data>] = [:]
      found.reserveCapacity(keys.count)
      for key in keys {
        found[key] = try RecordKey.with(text(key)) { Self.entry(try record($0, in: transaction)) }
      }
      return found
    }
  }

  /// Calls `body` with the bytes of an unexpired value in place in the map, if there is one.
  func withBytes(
    forKey key: String, by clock: StorageClock, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withRecord(forKey: key) { record, slot in
      guard let record, !record.header.expiry.isExpired(by: clock) else { return }
      try environment.readers.withGuest(in: slot) {
        do { try body(record.value) } catch { throw CallerError(error: error) }
      }
    }
  }

  /// Calls `body` with the bytes of each key that has not expired.
  func eachKey(validAt now: Date, _ body: (UnsafeRawBufferPointer) -> Void) throws {
    try environment.read { transaction, _ in
      try eachRecord(in: transaction) { key, record in
        if case .date(let date) = record.header.expiry, date <= now { return true }
        body(RecordKey.plainText(key) ?? record.key)
        return true
      }
    }
  }

  /// Calls `body` with the bytes of at most `limit` keys that have not expired, from a record key on. Returns the
  /// record key from which the others follow, or `nil` after the last one.
  func eachKey(
    from start: [UInt8]?, atMost limit: Int, validAt now: Date, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws -> [UInt8]? {
    try environment.read { transaction, _ in
      var count = 0
      var next: [UInt8]?
      try eachRecord(from: start, in: transaction) { key, record in
        if case .date(let date) = record.header.expiry, date <= now { return true }
        if count == limit {
          next = Array(key)
          return false
        }
        count += 1
        body(RecordKey.plainText(key) ?? record.key)
        return true
      }
      return next
    }
  }

  @inline(__always)
  private func withRecord<R>(
    forKey key: String, _ body: (Record?, ReaderPool.Slot) throws -> R
  ) throws -> R {
    try RecordKey.with(key) { key in
      try environment.read { transaction, slot in try body(try record(key, in: transaction), slot) }
    }
  }

  /// Returns the record of a key. Throws if the bytes are not a record, or belong to another key.
  @inline(__always)
  func record(_ key: RecordKey, in transaction: OpaquePointer) throws -> Record? {
    var name = MDB_val(key.bytes)
    var value = MDB_val()
    let code = mdb_get(transaction, records, &name, &value)
    if code == MDB_NOTFOUND { return nil }
    try check(code)
    guard let record = Record(value.bytes) else { throw Self.foreign }
    if let whole = key.whole, !record.key.elementsEqual(whole) { throw Self.foreign }
    return record
  }

  /// Calls `body` with the records from a key on, or with all, until it returns `false`.
  private func eachRecord(
    from start: [UInt8]? = nil, in transaction: OpaquePointer,
    _ body: (_ key: UnsafeRawBufferPointer, Record) throws -> Bool
  ) throws {
    try withCursor(records, in: transaction) { cursor in
      var key = MDB_val()
      var value = MDB_val()
      var code =
        start?.withUnsafeBytes { start in
          key = MDB_val(start)
          return mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
        } ?? mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
      while code == MDB_SUCCESS {
        guard let record = Record(value.bytes) else { throw Self.foreign }
        if try !body(key.bytes, record) { return }
        code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      }
      if code != MDB_NOTFOUND { throw LMDBError(code) }
    }
  }

  func withCursor<R>(
    _ database: MDB_dbi, in transaction: OpaquePointer, _ body: (OpaquePointer) throws -> R
  ) throws -> R {
    var opened: OpaquePointer?
    try check(mdb_cursor_open(transaction, database, &opened))
    guard let cursor = opened else { throw LMDBError(MDB_PANIC) }
    defer { mdb_cursor_close(cursor) }
    return try body(cursor)
  }

  @inline(__always)
  private static func entry(_ record: Record?) -> Entry<Data>? {
    guard let record else { return nil }
    // A copy, since memory of the map is only valid inside the transaction.
    return Entry(object: Data(record.value), expiry: record.header.expiry)
  }

  private static var foreign: StorageError {
    .malformedFileAttributes.with(
      "the database holds a record that is not an entry of Strata: it is damaged, or written by another program; "
        + "remove it, or store the entry again")
  }
}

/// An error of a caller's closure, which is rethrown unchanged.
struct CallerError: Error {
  let error: any Error
}
