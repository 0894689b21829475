#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
internal import CLMDB
import StrataCore

extension EntryTable {
  /// The number of expired entries removed per transaction, so that other writers need not wait long.
  private static let batch = 1000

  /// Removes expired entries, in several transactions.
  func removeExpired(by clock: StorageClock) throws {
    let now = clock.now
    while try environment.write(
      durability, .removing,
      { transaction in
        for _ in 0..<Self.batch {
          guard try removeFirstExpired(at: now, in: transaction) else { return false }
        }
        return true
      })
    {}
  }

  /// Returns the number of bytes of all pages that hold records and indexes.
  func size() throws -> Int {
    try environment.read { transaction, _ in try size(in: transaction) }
  }

  /// Throws if a value is too large to be stored even in an empty table.
  func checkSize(_ count: Int, _ key: RecordKey, _ expiry: Expiry) throws {
    let record = RecordHeader.size + (key.whole?.count ?? 0) + count
    if record > Int(UInt32.max) {
      throw StorageError.tooLarge.with(
        "LMDB stores up to 4 GiB under a key, and this would take \(record) bytes")
    }
    if limit == 0 { return }
    let needed = environment.pageSize * pages(record: record, key: key.bytes.count, expires: expiry != .never)
    if needed > limit {
      throw StorageError.tooLarge.with(
        "the entry would take \(needed) bytes in whole pages, and the limit of the store is \(limit)")
    }
  }

  /// Enforces the limit: removes expired entries first, then the entries written longest ago.
  func enforceLimit(at clock: StorageClock, in transaction: OpaquePointer) throws {
    if limit == 0 { return }
    if try size(in: transaction) <= limit { return }
    let now = clock.now
    while try size(in: transaction) > limit {
      if try removeFirstExpired(at: now, in: transaction) { continue }
      if try removeFirstUnordered(in: transaction) { continue }
      if try !removeOldest(in: transaction) { return }
    }
  }

  /// Returns the next sequence number in the order of writing.
  func nextPlace(in transaction: OpaquePointer) throws -> UInt64 {
    try withEnd(of: order, MDB_LAST, in: transaction) { key, _ in
      IndexKey.number(key).map { $0 + 1 }
    } ?? 1
  }

  /// Returns the number of pages of an entry that is alone: one for the record, further ones if the value has its own,
  /// and one for each index.
  ///
  /// LMDB moves a node's value to separate pages, with 16 bytes before it, if two such nodes would not fit on a page. A
  /// node is 8 bytes, the key and the value.
  private func pages(record: Int, key: Int, expires: Bool) -> Int {
    let page = environment.pageSize
    let largestNode = (((page - 16) / 2) & ~1) - 2
    let own = 8 + key + record > largestNode ? (15 + record) / page + 1 : 0
    return 2 + own + (expires ? 1 : 0)
  }

  private func size(in transaction: OpaquePointer) throws -> Int {
    var pages = 0
    for database in [records, deadlines, order] {
      let status = try statistics(of: database, in: transaction)
      pages += status.ms_branch_pages + status.ms_leaf_pages + status.ms_overflow_pages
    }
    return pages * environment.pageSize
  }

  private func statistics(of database: MDB_dbi, in transaction: OpaquePointer) throws(LMDBError) -> MDB_stat {
    var status = MDB_stat()
    try check(mdb_stat(transaction, database, &status))
    return status
  }

  /// Removes the entry with the earliest deadline, if that has passed.
  private func removeFirstExpired(at now: Date, in transaction: OpaquePointer) throws -> Bool {
    let first: [UInt8]? = try withEnd(of: deadlines, MDB_FIRST, in: transaction) { key, _ in
      guard let bits = IndexKey.number(key), IndexKey.date(bits) <= now else { return nil }
      return Array(key)
    }
    guard let first else { return false }
    try first.withUnsafeBytes { name in
      try remove(IndexKey.recordKey(name), in: transaction) { header in
        if case .date(let date) = header.expiry {
          IndexKey.bits(of: date) == IndexKey.number(name)
        } else {
          false
        }
      }
      try delete(name, from: deadlines, in: transaction)
    }
    return true
  }

  /// Removes the entry that was written longest ago.
  private func removeOldest(in transaction: OpaquePointer) throws -> Bool {
    let oldest = try withEnd(of: order, MDB_FIRST, in: transaction) { place, key in (Array(place), Array(key))
    }
    guard let (place, key) = oldest else { return false }
    try place.withUnsafeBytes { place in
      try key.withUnsafeBytes { key in
        try remove(key, in: transaction) { $0.order == IndexKey.number(place) }
      }
      try delete(place, from: order, in: transaction)
    }
    return true
  }

  /// Removes the record of a key, if the index entry that refers to it is correct.
  private func remove(
    _ key: UnsafeRawBufferPointer, in transaction: OpaquePointer, if isMeant: (RecordHeader) -> Bool
  ) throws {
    var name = MDB_val(key)
    var value = MDB_val()
    let code = mdb_get(transaction, records, &name, &value)
    if code == MDB_NOTFOUND { return }
    try check(code)
    if let header = RecordHeader(value.bytes), isMeant(header) { try remove(key, in: transaction) }
  }

  /// Removes an entry without a sequence number, which a store without a limit wrote. Such entries count as the oldest.
  private func removeFirstUnordered(in transaction: OpaquePointer) throws -> Bool {
    let all = try statistics(of: records, in: transaction).ms_entries
    if try statistics(of: order, in: transaction).ms_entries >= all { return false }
    let first: [UInt8]? = try withCursor(records, in: transaction) { cursor in
      var key = MDB_val()
      var value = MDB_val()
      var code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
      while code == MDB_SUCCESS {
        if RecordHeader(value.bytes).map({ $0.order == 0 }) ?? true { return Array(key.bytes) }
        code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      }
      if code != MDB_NOTFOUND { throw LMDBError(code) }
      return nil
    }
    guard let first else { return false }
    try first.withUnsafeBytes { try remove($0, in: transaction) }
    return true
  }

  /// Calls `body` with the first or last item of a database. Returns `nil` if it is empty.
  private func withEnd<R>(
    of database: MDB_dbi, _ end: MDB_cursor_op, in transaction: OpaquePointer,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> R?
  ) throws -> R? {
    try withCursor(database, in: transaction) { cursor in
      var key = MDB_val()
      var value = MDB_val()
      let code = mdb_cursor_get(cursor, &key, &value, end)
      if code == MDB_NOTFOUND { return nil }
      try check(code)
      return try body(key.bytes, value.bytes)
    }
  }
}
