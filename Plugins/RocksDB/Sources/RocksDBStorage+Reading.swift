#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RocksDBStorage {
  /// Reads what is stored, or `nil`; it may have expired.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    try explaining("read the entry", key) {
      try RecordKey.withEntry(key) { bytes in
        let entry = try family.withRecord(bytes) { try Self.entry($0) }
        if entry != nil, limit != nil { family.noteUse(of: bytes) }
        return entry
      }
    }
  }

  /// The expiry of what is stored, or `nil`. It does not copy the value, and does not count as a use of the entry.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try explaining("read the entry", key) {
      try RecordKey.withEntry(key) { bytes in
        try family.withRecord(bytes) { try Record.read($0).expiry }
      }
    }
  }

  /// Reads many keys, as they all were at one moment.
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

  /// The keys of all that is stored and has not expired, in ascending order.
  ///
  /// Reads through the whole family, values included: their tables hold them beside the keys. Keys of another type are
  /// left out.
  public func keys() throws -> [Key] { try keys(from: [RecordKey.entry], until: nil) }

  /// The keys from one on up to another, without the latter, of what is stored and has not expired, in ascending order.
  ///
  /// ```swift
  /// let march = try readings.entries(forKeys: readings.keys(from: "2026-03", until: "2026-04"))
  /// ```
  ///
  /// Neither of the two needs to be stored. The order is that of the keys' texts. Costs what lies between the two.
  public func keys(from lower: Key, until upper: Key) throws -> [Key] {
    try keys(from: RecordKey.entry(lower), until: RecordKey.entry(upper))
  }

  /// The bytes of all keys and values, as they are before compression, also of entries that have expired and not been
  /// swept yet.
  ///
  /// This is what `maxSize` limits. With a limit it is known; without one, the whole family is read through. What it
  /// takes on disk say `statistics`.
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
        // A text that is no key, or not the text of that key, was stored with another type of key.
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
    // A pointer of nil, as an empty value may have, is nothing to copy from.
    let object = value.baseAddress.map { Data(bytes: $0, count: value.count) } ?? Data()
    return Entry(object: object, expiry: expiry)
  }
}
