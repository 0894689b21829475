#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RocksDBStorage {
  /// Returns an entry, even an expired one, or `nil` if there is none.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    try explaining("read the entry", key) {
      try RecordKey.withEntry(key) { bytes in
        let entry = try family.withRecord(bytes) { try Self.entry($0) }
        if entry != nil, limit != nil { family.noteUse(of: bytes) }
        return entry
      }
    }
  }

  /// Returns the expiry of an entry, or `nil` if there is none. Does not copy the value or count as a use of the entry.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try explaining("read the entry", key) {
      try RecordKey.withEntry(key) { bytes in
        try family.withRecord(bytes) { try Record.read($0).expiry }
      }
    }
  }

  /// Returns the entries of many keys, as a snapshot of one moment.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    if keys.isEmpty { return [:] }
    return try explaining("read the entries") {
      var found: [Key: Entry<Data>] = [:]
      found.reserveCapacity(keys.count)
      let bytes = keys.map(RecordKey.entry)
      try family.withRecords(bytes) { index, record in
        try explaining("read the entry", keys[index]) { found[keys[index]] = try Self.entry(record) }
        if limit != nil { bytes[index].withUnsafeBytes(family.noteUse) }
      }
      return found
    }
  }

  /// Returns the keys of all entries that have not expired, in ascending order.
  ///
  /// Reads the whole family including values, which the tables hold beside the keys. Omits keys of another type.
  public func keys() throws -> [Key] { try keys(from: [RecordKey.entry], until: nil) }

  /// Returns the keys from `lower` up to, but not including, `upper`, of all entries that have not expired, in
  /// ascending order.
  ///
  /// ```swift
  /// let march = try readings.entries(forKeys: readings.keys(from: "2026-03", until: "2026-04"))
  /// ```
  ///
  /// Neither key needs to be stored. Keys are ordered by their texts. Reads only the entries between the two.
  public func keys(from lower: Key, until upper: Key) throws -> [Key] {
    try keys(from: RecordKey.entry(lower), until: RecordKey.entry(upper))
  }

  /// The number of bytes of all keys and values before compression, including expired entries that have not been swept
  /// yet.
  ///
  /// This is what `maxSize` limits. With a limit it is known; without one, the whole family is read. `statistics` has
  /// the size on disk.
  public var totalSize: Int {
    get throws {
      try explaining("measure the entries") {
        if limit != nil { try family.measure() }
        return try family.totalSize()
      }
    }
  }

  private func keys(from lower: [UInt8], until upper: [UInt8]?) throws -> [Key] {
    try explaining("list the entries") {
      let now = clock.now
      var keys: [Key] = []
      try family.scanEntries(from: lower) { bytes, expiry, _ in
        if let upper, !bytes.lexicographicallyPrecedes(upper) { return false }
        if case .date(let date) = expiry, date <= now { return true }
        // A text that is no key, or not the text of that key, was stored with another key type.
        if let text = String(validating: bytes.dropFirst(), as: UTF8.self), let key = Key(storageKey: text),
          key.storageKey == text
        {
          keys.append(key)
        }
        return true
      }
      return keys
    }
  }

  private static func entry(_ record: UnsafeRawBufferPointer) throws -> Entry<Data> {
    let (expiry, value) = try Record.read(record)
    // An empty value may have a null pointer, which cannot be copied from.
    let object = value.baseAddress.map { Data(bytes: $0, count: value.count) } ?? Data()
    return Entry(object: object, expiry: expiry)
  }
}
