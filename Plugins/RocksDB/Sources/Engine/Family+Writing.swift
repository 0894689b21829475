#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
internal import CRocksDB
import StrataCore

/// New entries of a family, all with one resolved expiry.
struct NewEntries {
  let entries: [(key: [UInt8], value: Data)]
  let expiry: Expiry
}

/// The error for entries that exceed a limit, with their size and the limit.
struct LimitExceeded: Error {
  let size: Int
  let limit: Int
}

extension Family {
  /// Stores an entry without reading anything. An entry that never expires is one record.
  ///
  /// Returns `false` without storing if writers must run alone.
  func put(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ expiry: Expiry, _ options: OpaquePointer
  ) throws -> Bool {
    try gate.beside(key) {
      if expiry != .never || value.count > Record.joinedSize {
        let batch = WriteBatch()
        batch.put(key, value, expiry, in: self)
        return try batch.write(to: database, options)
      }
      // A single record needs no batch.
      try Record.withHead(expiry) { head in
        try Record.withJoined(head, value) { record in
          try calling { error in
            rocksdb_put_cf(
              database, options, handle, key.characters, key.count, record.characters, record.count, error)
          }
        }
      }
    }
  }

  /// Stores entries as one write, and enforces a limit.
  func put(_ new: NewEntries, limit: Int?, _ options: OpaquePointer) throws {
    guard let first = new.entries.first?.key else { return }
    if limit == nil,
      try first.withUnsafeBytes({ try gate.beside($0) { try batch(of: new).write(to: database, options) } })
    {
      return
    }
    if limit != nil { try measure() }
    try gate.alone { try putAlone(new, limit: limit, options) }
  }

  /// Stores an entry if it is still as it was read. Returns whether it was stored.
  func replace(
    _ seen: Entry<Data>, with value: Data, _ key: [UInt8], limit: Int?, _ options: OpaquePointer
  ) throws -> Bool {
    if limit != nil { try measure() }
    return try gate.alone {
      let isSame = try key.withUnsafeBytes { key in
        try withRecord(key) { record in
          let (expiry, value) = try Record.read(record)
          return expiry == seen.expiry && value.elementsEqual(seen.object)
        }
      }
      guard isSame == true else { return false }
      try putAlone(NewEntries(entries: [(key, value)], expiry: seen.expiry), limit: limit, options)
      return true
    }
  }

  /// Stores an entry unless there is one that has not expired. Returns whether it was stored.
  func putIfAbsent(_ new: NewEntries, by clock: StorageClock, limit: Int?, _ options: OpaquePointer) throws
    -> Bool
  {
    if limit != nil { try measure() }
    return try gate.alone {
      for (key, _) in new.entries {
        let expiry = try key.withUnsafeBytes { try withRecord($0) { try Record.read($0).0 } }
        if let expiry, !expiry.isExpired(by: clock) { return false }
      }
      try putAlone(new, limit: limit, options)
      return true
    }
  }

  /// Changes the expiry of an entry that has not expired. Returns whether there was one.
  func touch(
    _ key: [UInt8], _ expiry: Expiry, by clock: StorageClock, limit: Int?, _ options: OpaquePointer
  ) throws -> Bool {
    if limit != nil { try measure() }
    return try gate.alone {
      let value = try key.withUnsafeBytes { key in
        try withRecord(key) { record -> Data? in
          let (expiry, value) = try Record.read(record)
          return expiry.isExpired(by: clock) ? nil : Data(value)
        }
      }
      guard case .some(.some(let value)) = value else { return false }
      try putAlone(NewEntries(entries: [(key, value)], expiry: expiry), limit: limit, options)
      return true
    }
  }

  private func putAlone(_ new: NewEntries, limit: Int?, _ options: OpaquePointer) throws {
    let victims = try victims(of: new, limit: limit)
    let batch = batch(of: new)
    for key in victims { batch.remove(key, in: self) }
    try batch.write(to: database, options)
    sizes.withLock { sizes in
      for key in victims { sizes?.remove(key) }
      for (key, value) in new.entries {
        sizes?.store(key, size: Self.size(key: key.count, value: value.count))
      }
    }
  }

  private func batch(of new: NewEntries) -> WriteBatch {
    let batch = WriteBatch()
    for (key, value) in new.entries {
      key.withUnsafeBytes { key in value.withUnsafeBytes { batch.put(key, $0, new.expiry, in: self) } }
    }
    return batch
  }

  /// Removes an entry, if there is one. Its deadline stays until it has passed, but has no effect any more.
  ///
  /// Returns `false` without removing if writers must run alone.
  func remove(_ key: UnsafeRawBufferPointer, _ options: OpaquePointer) throws -> Bool {
    try gate.beside(key) {
      try calling { rocksdb_delete_cf(database, options, handle, key.characters, key.count, $0) }
    }
  }

  /// Removes entries as one write.
  func remove(_ keys: [[UInt8]], _ options: OpaquePointer) throws {
    guard let first = keys.first else { return }
    func write() throws {
      let batch = WriteBatch()
      for key in keys { batch.remove(key, in: self) }
      try batch.write(to: database, options)
    }
    if try first.withUnsafeBytes({ try gate.beside($0) { try write() } }) { return }
    try gate.alone {
      try write()
      sizes.withLock { sizes in for key in keys { sizes?.remove(key) } }
    }
  }

  /// Reads the sizes of all entries if they are not known yet; from then on writers run alone.
  func measure() throws {
    if sizes.withLock({ $0 != nil }) { return }
    try gate.alone(closing: true) {
      if sizes.withLock({ $0 != nil }) { return }
      var found = SizeIndex()
      try scanEntries { key, _, valueSize in
        found.store(Array(key), size: Self.size(key: key.count, value: valueSize))
        return true
      }
      let result = found
      sizes.withLock { $0 = result }
    }
  }

  /// Returns the number of bytes of the keys and values of all entries.
  func totalSize() throws -> Int {
    if let known = sizes.withLock({ $0?.total }) { return known }
    var total = 0
    try scanEntries { key, _, valueSize in
      total += Self.size(key: key.count, value: valueSize)
      return true
    }
    return total
  }

  /// Returns the counted size of an entry: its text, without the byte before it, and its value.
  private static func size(key: Int, value: Int) -> Int { key - 1 + value }

  private func victims(of new: NewEntries, limit: Int?) throws -> [[UInt8]] {
    guard let limit else { return [] }
    var needed: [[UInt8]: Int] = [:]
    for (key, value) in new.entries { needed[key] = Self.size(key: key.count, value: value.count) }
    let size = needed.values.reduce(0, +)
    if size > limit { throw LimitExceeded(size: size, limit: limit) }
    let wanted = needed
    return sizes.withLock { $0?.victims(toFit: wanted, limit: limit) ?? [] }
  }
}
