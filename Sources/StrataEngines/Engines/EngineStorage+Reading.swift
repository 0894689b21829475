#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EngineStorage {
  /// Returns the stored entry, or `nil`; it may have expired. The value is a copy.
  ///
  /// If only the expiry is wanted, the value is not copied, and the read does not count as a use. At once, an entry is
  /// returned if the engine reads without waiting. Throws `.malformedFileAttributes` for a record that is not Strata's.
  public func read(_ key: Key, _ how: How) throws -> Entry<Data>? {
    guard try how.mayRead(waiting: !storeTable.answersAtOnce) else { return nil }
    return try explaining("read the entry", key) {
      guard how.contains(.expiryOnly) else { return try storeTable.entry(key.storageKey) }
      return try storeTable.expiry(key.storageKey).map { Entry(expiry: $0) }
    }
  }

  /// Returns the entries of many keys, from one snapshot if the engine supports it.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Data>] {
    if !how.allowsBatch { return try readEach(keys, how) }
    if keys.isEmpty { return [:] }
    // Only an error needs one of the keys, so it is looked up after a failure.
    var entries = [Entry<Data>?](repeating: nil, count: keys.count)
    var unread: Int?
    try explaining(unread == nil ? "read the entries" : "read the entry", unread.map { keys[$0] }) {
      try storeTable.entries(keys.count, { keys[$0].storageKey }, reading: &unread) { entries[$0] = $1 }
    }
    return Dictionary(keys, found: entries)
  }

  /// Returns at most `limit` keys of entries that have not expired after a cursor, from one snapshot. Keys of another
  /// type are left out. All pages have the same order.
  ///
  /// A `KeyValueEngine` lists the keys in ascending order of their texts, keys too long for the engine last, and reads
  /// all records.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if cursor == nil, limit == .max { return KeyPage(keys: try keys(from: nil) { _ in false }, next: nil) }
    let start: [UInt8] = try cursor?.position() ?? []
    var next: [UInt8]?
    var count = 0
    let keys = try keys(from: start) { position in
      if count == max(1, limit) { next = Array(position) }
      count += 1
      return next != nil
    }
    return KeyPage(keys: keys, next: next.map { KeyCursor($0) })
  }

  /// Returns the keys that have not expired from a position on, up to the first position for which `isEnd` is true.
  /// Leaves out keys that were stored with another type.
  func keys(
    from position: [UInt8]?, until isEnd: (_ position: UnsafeRawBufferPointer) -> Bool
  ) throws -> [Key] {
    var keys: [Key] = []
    try explaining("list the entries") {
      try storeTable.eachKey(from: position, validAt: clock.now) { position, text in
        if isEnd(position) { return false }
        // Texts that no key of this type has are left out.
        if let text, let key = Key(storageKey: text), key.storageKey == text { keys.append(key) }
        return true
      }
    }
    return keys
  }
}

extension EngineStorage where Engine: KeyValueEngine {
  /// Returns the keys of the entries that have not expired, from one key up to but not including another, in ascending
  /// order of their texts.
  ///
  /// ```swift
  /// let march = try readings.entries(forKeys: readings.keys(from: "2026-03", until: "2026-04"))
  /// ```
  ///
  /// Neither of the two keys needs to be stored. The cost depends only on the entries between them. Keys that are too
  /// long for the engine are not ordered, and left out.
  public func keys(from lower: Key, until upper: Key) throws -> [Key] {
    let until = table.name(of: upper.storageKey).bytes
    return try keys(from: table.name(of: lower.storageKey).bytes) { !$0.lexicographicallyPrecedes(until) }
  }
}
