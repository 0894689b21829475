#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
internal import CLMDB
package import StrataEngines

/// A transaction over the databases of a table. The bytes that its functions pass to closures are valid until its next
/// change.
package struct LMDBTransaction: EntryTransaction {
  /// Whoever runs the transaction holds the table, and a read need not count it.
  unowned(unsafe) let table: LMDBEngine
  private let handle: OpaquePointer

  @inline(__always)
  init(_ table: LMDBEngine, _ handle: OpaquePointer) {
    self.table = table
    self.handle = handle
  }

  // MARK: Entries

  @inline(__always)
  package func entry(_ text: String) throws -> Entry<Data>? {
    try RecordKey.with(text) { try entry($0) }
  }

  @inline(__always)
  func entry(_ key: RecordKey) throws -> Entry<Data>? {
    guard let record = try record(key) else { return nil }
    return record.isDivided ? try assembled(record) : record.entry
  }

  package func expiry(_ text: String) throws -> Expiry? {
    try RecordKey.with(text) { try record($0)?.expiry }
  }

  /// Returns the record of a key. Throws if the bytes are not a record, or belong to another key.
  @inline(__always)
  func record(_ key: RecordKey) throws -> Record? {
    guard let bytes = try get(key.bytes, from: table.records) else { return nil }
    guard let record = Record(bytes) else { throw Record.foreign }
    if let whole = key.whole, !record.key.elementsEqual(whole) { throw Record.foreign }
    return record
  }

  /// Lists the key of a record that cannot be read too, since reading it reports the damage. Throws if only the record
  /// contains the key.
  package func eachKey(from position: [UInt8]?, validAt now: Date, _ body: StoreTable.KeyVisitor) throws {
    try each(in: table.records, from: position ?? []) { key, bytes in
      let record = Record(bytes)
      guard let text = RecordKey.plainText(key) ?? record?.key else { throw Record.foreign }
      if case .date(let date) = record?.expiry, date <= now { return true }
      return try body(key, String(validating: text, as: UTF8.self))
    }
  }

  package func put(_ text: String, _ value: Data, _ expiry: Expiry) throws {
    try put(text, value, nil, expiry)
  }

  /// Stores an entry whose value is given, or stored in parts and described by the bytes.
  func put(_ text: String, _ value: Data, _ parts: DividedValue?, _ expiry: Expiry) throws {
    try RecordKey.with(text) { key in
      try unindex(key.bytes, except: parts?.id)
      if let parts { try countParts(parts, 1) }
      let place = table.config.maxSize == 0 ? 0 : try nextPlace()
      let size = Record.headSize + (key.whole?.count ?? 0) + value.count
      let room = try put(MDB_val(mv_size: size, mv_data: nil), key.bytes, into: table.records, MDB_RESERVE)
      Record.write(value, isDivided: parts != nil, expiry, key.whole, order: place, to: room)
      try eachIndex(of: key.bytes, expiry, place) { index, name, value, flags in
        _ = try put(MDB_val(value), name, into: index, flags)
      }
    }
  }

  package func remove(_ text: String) throws { try RecordKey.with(text) { try remove($0.bytes) } }

  package func removeAll() throws {
    try disownAll()
    for database in table.databases { try check(mdb_drop(handle, database, 0)) }
  }

  package func size() throws -> Int {
    let pages = try table.databases.reduce(0) { pages, database in
      let status = try statistics(of: database)
      return pages + status.ms_branch_pages + status.ms_leaf_pages + status.ms_overflow_pages
    }
    return try pages * table.environment.pageSize + sizeOfParts()
  }

  package func removeExpired(at now: Date, atMost count: Int) throws -> Int {
    let passed = IndexKey.bits(of: now)
    for removed in 0..<count { if try !removeFirst(of: table.deadlines, upTo: passed) { return removed } }
    return count
  }

  /// Removes the entry that was written longest ago. Entries without a sequence number, written by a store without a
  /// limit, are removed first.
  package func removeOldest() throws -> Bool {
    var unordered: [UInt8]?
    if try statistics(of: table.order).ms_entries < statistics(of: table.records).ms_entries {
      try each(in: table.records) { key, bytes in
        if Record(bytes).map({ $0.order == 0 }) ?? true { unordered = Array(key) }
        return unordered == nil
      }
    }
    guard let unordered else { return try removeFirst(of: table.order, upTo: .max) }
    try unordered.withUnsafeBytes { try remove($0) }
    return true
  }

  // MARK: Indexes

  /// Calls `body` with the index items of a record: the index, and the item's key, value and flags for storing it.
  @inline(__always)
  private func eachIndex(
    of key: UnsafeRawBufferPointer, _ expiry: Expiry, _ order: UInt64,
    _ body: (MDB_dbi, _ name: UnsafeRawBufferPointer, UnsafeRawBufferPointer, Int32) throws -> Void
  ) throws {
    if case .date(let date) = expiry {
      try IndexKey.with(IndexKey.bits(of: date), key) {
        try body(table.deadlines, $0, UnsafeRawBufferPointer(start: nil, count: 0), 0)
      }
    }
    if order > 0 { try IndexKey.with(order) { try body(table.order, $0, key, MDB_APPEND) } }
  }

  /// Returns the next sequence number in the order of writing.
  private func nextPlace() throws -> UInt64 {
    var last: UInt64 = 0
    try each(in: table.order, MDB_LAST) { name, _ in
      last = IndexKey.number(name)
      return false
    }
    return last + 1
  }

  /// Removes the record of a key, if there is one, without reading it.
  private func remove(_ key: UnsafeRawBufferPointer) throws {
    try unindex(key)
    try delete(key, from: table.records)
  }

  /// Removes the record of a key from the indexes. Records written by another program are in no index.
  private func unindex(_ key: UnsafeRawBufferPointer, except id: ValueID? = nil) throws {
    guard let record = try get(key, from: table.records).flatMap({ Record($0) }) else { return }
    let parts = try record.divided
    try eachIndex(of: key, record.expiry, record.order) { index, name, _, _ in try delete(name, from: index) }
    guard let parts else { return }
    try countParts(parts, -1)
    if parts.id != id { try setOwner(.nobody, of: parts.id) }
  }

  /// Removes the first item of an index, with the record that it belongs to. Returns `false` if the index is empty, or
  /// if the item's number is greater than `bound`.
  private func removeFirst(of index: MDB_dbi, upTo bound: UInt64) throws -> Bool {
    var first: (name: [UInt8], key: [UInt8])?
    try each(in: index) { name, key in
      if IndexKey.number(name) <= bound {
        first = (Array(name), index == table.order ? Array(key) : Array(name.dropFirst(IndexKey.numberSize)))
      }
      return false
    }
    guard let (name, key) = first else { return false }
    try key.withUnsafeBytes { key in
      guard !key.isEmpty, let record = try get(key, from: table.records).flatMap({ Record($0) }) else {
        return
      }
      // Another program may have written an index item that does not match the record.
      var isItsItem = false
      try eachIndex(of: key, record.expiry, record.order) { other, itsName, _, _ in
        isItsItem = isItsItem || other == index && itsName.elementsEqual(name)
      }
      if isItsItem { try remove(key) }
    }
    try name.withUnsafeBytes { try delete($0, from: index) }
    return true
  }

  // MARK: Databases

  @inline(__always)
  func get(
    _ key: UnsafeRawBufferPointer, from database: MDB_dbi
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    var name = MDB_val(key)
    var value = MDB_val()
    let code = mdb_get(handle, database, &name, &value)
    if code == MDB_NOTFOUND { return nil }
    try check(code)
    return value.bytes
  }

  /// Stores a value. Returns the place of its bytes in the map, which only `MDB_RESERVE` allows to write.
  @discardableResult
  func put(
    _ value: MDB_val, _ key: UnsafeRawBufferPointer, into database: MDB_dbi, _ flags: Int32
  ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
    var name = MDB_val(key)
    var value = value
    try check(mdb_put(handle, database, &name, &value, UInt32(flags)))
    return UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
  }

  func delete(_ key: UnsafeRawBufferPointer, from database: MDB_dbi) throws(LMDBError) {
    var name = MDB_val(key)
    let code = mdb_del(handle, database, &name, nil)
    if code != MDB_NOTFOUND { try check(code) }
  }

  func statistics(of database: MDB_dbi) throws(LMDBError) -> MDB_stat {
    var status = MDB_stat()
    try check(mdb_stat(handle, database, &status))
    return status
  }

  /// Calls `body` with the items of a database, from a key on or from either end, until `body` returns `false`.
  func each(
    in database: MDB_dbi, from key: [UInt8] = [], _ end: MDB_cursor_op = MDB_FIRST,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    var opened: OpaquePointer?
    try check(mdb_cursor_open(handle, database, &opened))
    guard let cursor = opened else { throw LMDBError(MDB_PANIC) }
    defer { mdb_cursor_close(cursor) }
    var value = MDB_val()
    try key.withUnsafeBytes { start in
      var key = MDB_val(start)
      var code = mdb_cursor_get(cursor, &key, &value, start.isEmpty ? end : MDB_SET_RANGE)
      while code == MDB_SUCCESS {
        if try !body(key.bytes, value.bytes) { return }
        code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      }
      if code != MDB_NOTFOUND { throw LMDBError(code) }
    }
  }
}

// As by default, but compiled for this type, with the record's key made before the read begins.
extension LMDBEngine {
  package func entry(_ text: String) throws -> Entry<Data>? {
    try RecordKey.with(text) { key in
      try environment.read { try LMDBTransaction(self, $0).entry(key) }
    }
  }
  package func expiry(_ text: String) throws -> Expiry? {
    try RecordKey.with(text) { key in
      try environment.read { try LMDBTransaction(self, $0).record(key)?.expiry }
    }
  }
}
