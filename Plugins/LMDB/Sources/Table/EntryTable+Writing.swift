#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
internal import CLMDB
import StrataCore

extension EntryTable {
  func set(_ value: Data, forKey key: String, expiry: Expiry, by clock: StorageClock) throws {
    try RecordKey.with(key) { key in
      try value.withUnsafeBytes { value in
        try checkSize(value.count, key, expiry)
        try environment.write(durability, .storing(bytes: value.count)) { transaction in
          try put(value, key, expiry, in: transaction)
          try enforceLimit(at: clock, in: transaction)
        }
      }
    }
  }

  /// Stores all values or none.
  func set(_ entries: [(key: String, value: Data, expiry: Expiry)], by clock: StorageClock) throws {
    let bytes = entries.reduce(0) { $0 + $1.value.count }
    try environment.write(durability, .storing(bytes: bytes)) { transaction in
      for (key, value, expiry) in entries {
        try RecordKey.with(key) { key in
          try value.withUnsafeBytes { value in
            try checkSize(value.count, key, expiry)
            try put(value, key, expiry, in: transaction)
          }
        }
      }
      try enforceLimit(at: clock, in: transaction)
    }
  }

  /// Stores a value if the entry is still as it was read. Returns whether it was stored.
  func replace(
    _ seen: Entry<Data>, with value: Data, forKey key: String, by clock: StorageClock
  ) throws -> Bool {
    try RecordKey.with(key) { key in
      try value.withUnsafeBytes { value in
        try checkSize(value.count, key, seen.expiry)
        return try environment.write(durability, .storing(bytes: value.count)) { transaction in
          guard let record = try record(key, in: transaction), record.header.expiry == seen.expiry,
            record.value.elementsEqual(seen.object)
          else { return false }
          try put(value, key, seen.expiry, in: transaction)
          try enforceLimit(at: clock, in: transaction)
          return true
        }
      }
    }
  }

  /// Stores a value unless there is one that has not expired. Returns whether it was stored.
  func setIfAbsent(_ value: Data, forKey key: String, expiry: Expiry, by clock: StorageClock) throws -> Bool {
    try RecordKey.with(key) { key in
      try value.withUnsafeBytes { value in
        try checkSize(value.count, key, expiry)
        return try environment.write(durability, .storing(bytes: value.count)) { transaction in
          if let record = try record(key, in: transaction), !record.header.expiry.isExpired(by: clock) {
            return false
          }
          try put(value, key, expiry, in: transaction)
          try enforceLimit(at: clock, in: transaction)
          return true
        }
      }
    }
  }

  /// Changes the expiry of a value that has not expired. Returns whether there was one.
  func touch(forKey key: String, expiry: Expiry, by clock: StorageClock) throws -> Bool {
    try RecordKey.with(key) { key in
      // The length of the value is unknown before the transaction.
      try environment.write(durability, .storing(bytes: 0)) { transaction in
        guard let record = try record(key, in: transaction), !record.header.expiry.isExpired(by: clock) else {
          return false
        }
        // A copy, since writing invalidates the bytes in the map.
        let value = Array(record.value)
        try value.withUnsafeBytes { try put($0, key, expiry, in: transaction) }
        try enforceLimit(at: clock, in: transaction)
        return true
      }
    }
  }

  func remove(keys: [String]) throws {
    try environment.write(durability, .removing) { transaction in
      for key in keys {
        try RecordKey.with(key) { try remove($0.bytes, in: transaction) }
      }
    }
  }

  func removeAll() throws {
    try environment.write(durability, .removing) { transaction in
      for database in [records, deadlines, order] { try check(mdb_drop(transaction, database, 0)) }
    }
  }

  private func put(
    _ value: UnsafeRawBufferPointer, _ key: RecordKey, _ expiry: Expiry, in transaction: OpaquePointer
  ) throws {
    try unindex(key.bytes, in: transaction)
    let place = limit > 0 ? try nextPlace(in: transaction) : 0
    let keyLength = key.whole?.count ?? 0
    var name = MDB_val(key.bytes)
    var room = MDB_val(mv_size: RecordHeader.size + keyLength + value.count, mv_data: nil)
    try check(mdb_put(transaction, records, &name, &room, UInt32(MDB_RESERVE)))
    let record = UnsafeMutableRawBufferPointer(start: room.mv_data, count: room.mv_size)
    RecordHeader(expiry: expiry, keyLength: keyLength, order: place).write(to: record)
    if let whole = key.whole {
      UnsafeMutableRawBufferPointer(rebasing: record[RecordHeader.size...]).copyMemory(from: whole)
    }
    UnsafeMutableRawBufferPointer(rebasing: record[(RecordHeader.size + keyLength)...])
      .copyMemory(from: value)
    try index(key.bytes, expiry, place, in: transaction)
  }

  /// Removes the record of a key, if there is one, whatever it holds.
  func remove(_ key: UnsafeRawBufferPointer, in transaction: OpaquePointer) throws {
    try unindex(key, in: transaction)
    try delete(key, from: records, in: transaction)
  }

  private func index(
    _ key: UnsafeRawBufferPointer, _ expiry: Expiry, _ place: UInt64, in transaction: OpaquePointer
  ) throws {
    if case .date(let date) = expiry {
      try IndexKey.with(IndexKey.bits(of: date), key) { name in
        var name = MDB_val(name)
        var nothing = MDB_val()
        try check(mdb_put(transaction, deadlines, &name, &nothing, 0))
      }
    }
    if place > 0 {
      try IndexKey.with(place) { name in
        var name = MDB_val(name)
        var key = MDB_val(key)
        try check(mdb_put(transaction, order, &name, &key, UInt32(MDB_APPEND)))
      }
    }
  }

  /// Removes the record of a key from the indexes.
  private func unindex(_ key: UnsafeRawBufferPointer, in transaction: OpaquePointer) throws {
    var name = MDB_val(key)
    var value = MDB_val()
    let code = mdb_get(transaction, records, &name, &value)
    if code == MDB_NOTFOUND { return }
    try check(code)
    // A record of another program is in no index.
    guard let header = RecordHeader(value.bytes) else { return }
    if case .date(let date) = header.expiry {
      try IndexKey.with(IndexKey.bits(of: date), key) { try delete($0, from: deadlines, in: transaction) }
    }
    if header.order > 0 {
      try IndexKey.with(header.order) { try delete($0, from: order, in: transaction) }
    }
  }

  func delete(_ key: UnsafeRawBufferPointer, from database: MDB_dbi, in transaction: OpaquePointer) throws {
    var name = MDB_val(key)
    let code = mdb_del(transaction, database, &name, nil)
    if code != MDB_NOTFOUND { try check(code) }
  }
}
