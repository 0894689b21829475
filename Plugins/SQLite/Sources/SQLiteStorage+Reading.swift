#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage {
  /// Returns an entry, even an expired one, or `nil` if there is none.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    try explaining("read the entry", key) {
      try entries.find(key.storageKey.canonicalUTF8).map(Entry.init)
    }
  }

  /// Returns the expiry of an entry, or `nil` if there is none. Does not read the value or count as a use of the entry.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try explaining("read the entry", key) {
      try entries.expiry(of: key.storageKey.canonicalUTF8).map(Expiry.init(since1970:))
    }
  }

  /// Returns the entries of many keys from one state of the file, with no write in between.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    try explaining("read the entries") {
      let rows = try entries.find(keys.map { $0.storageKey.canonicalUTF8 })
      var found: [Key: Entry<Data>] = [:]
      for index in keys.indices { if let row = rows[index] { found[keys[index]] = Entry(row) } }
      return found
    }
  }

  /// Returns the keys of all entries that have not expired, in no particular order.
  ///
  /// Omits rows whose key the key type cannot read, or would write differently, since no read of this store could find
  /// them.
  public func keys() throws -> [Key] {
    try explaining("list the entries") { try entries.keys().compactMap(Self.key) }
  }

  /// Returns at most `limit` keys after a cursor, in the order of their texts.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try explaining("list the entries") {
      let (texts, next) = try entries.keys(from: cursor?.position() ?? [], atMost: max(1, limit))
      return KeyPage(keys: texts.compactMap(Self.key), next: next.map { KeyCursor($0) })
    }
  }

  private static func key(_ text: String) -> Key? {
    guard let key = Key(storageKey: text), key.storageKey == text else { return nil }
    return key
  }

  /// The number of bytes of all keys and values, including expired entries that have not been swept yet.
  ///
  /// With a limit the sum is stored; without one, all rows are visited, but not their values.
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

  /// Returns the expiry in seconds since 1970; `nil` for `.never`.
  func since1970(by clock: StorageClock) -> Double? {
    guard case .date(let date) = resolved(by: clock) else { return nil }
    return date.timeIntervalSince1970
  }
}
