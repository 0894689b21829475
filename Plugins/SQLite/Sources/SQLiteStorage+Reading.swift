#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage {
  /// Reads what is stored, or `nil`; it may have expired.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    try explaining("read the entry", key) {
      try entries.find(key.storageKey.canonicalUTF8).map(Entry.init)
    }
  }

  /// The expiry of what is stored, or `nil`. Does not read the value, and does not count as a use of the entry.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try explaining("read the entry", key) {
      try entries.expiry(of: key.storageKey.canonicalUTF8).map(Expiry.init(since1970:))
    }
  }

  /// Reads many keys from one state of the file: no write comes between.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    try explaining("read the entries") {
      let rows = try entries.find(keys.map { $0.storageKey.canonicalUTF8 })
      var found: [Key: Entry<Data>] = [:]
      for index in keys.indices { if let row = rows[index] { found[keys[index]] = Entry(row) } }
      return found
    }
  }

  /// The keys of all that is stored and has not expired, in no order.
  ///
  /// Rows are left out whose key the key type cannot read, or would write in another way: no read of this store finds
  /// them.
  public func keys() throws -> [Key] {
    try explaining("list the entries") {
      try entries.keys().compactMap { text in
        guard let key = Key(storageKey: text), key.storageKey == text else { return nil }
        return key
      }
    }
  }

  /// The bytes of all keys and values, also of entries that have expired and not been swept yet.
  ///
  /// With a limit it is known; without one, all rows are looked at, but not their values.
  public var totalSize: Int {
    get throws { try explaining("measure the entries") { try entries.totalSize() } }
  }
}

extension Entry<Data> {
  init(_ row: Entries.Row) { self.init(object: row.value, expiry: Expiry(since1970: row.expiry)) }
}

extension Expiry {
  init(since1970 seconds: Double?) {
    self = seconds.map { .date(Date(timeIntervalSince1970: $0)) } ?? .never
  }

  /// The seconds since 1970 at which it comes; `nil` for never.
  func since1970(by clock: StorageClock) -> Double? {
    guard case .date(let date) = resolved(by: clock) else { return nil }
    return date.timeIntervalSince1970
  }
}
