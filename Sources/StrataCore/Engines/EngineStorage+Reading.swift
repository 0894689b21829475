#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension EngineStorage {
  /// Returns the stored entry, or `nil`; it may have expired. The value is a copy.
  ///
  /// Throws `.malformedFileAttributes` for a record that is not Strata's.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    let name = name(of: key)
    let entry = try explaining("read the entry", key) { try table.read(name) { $0.entry } }
    if entry != nil, limit != nil { table.state.sizes.withLock { $0?.touch(name.bytes) } }
    return entry
  }

  /// Returns the expiry of the stored entry, or `nil`. It does not copy the value, and does not count as a use.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try explaining("read the entry", key) { try table.read(name(of: key)) { $0.expiry } }
  }

  /// Returns the entry if the engine can read without waiting.
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Data>> {
    table.engine.answersAtOnce ? CacheLookup { try entryIfPresent(forKey: key) } : .unknown
  }

  /// Returns the expiry if the engine can read without waiting.
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    table.engine.answersAtOnce ? CacheLookup { try expiryIfPresent(forKey: key) } : .unknown
  }

  /// Reads many entries, each as `entryIfPresent` does; as they were at one moment if the engine can.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    if keys.isEmpty { return [:] }
    return try explaining("read the entries") {
      var found: [Key: Entry<Data>] = [:]
      found.reserveCapacity(keys.count)
      let names = keys.map { name(of: $0).bytes }
      try table.engine.read(names) { index, bytes in
        try explaining("read the entry", keys[index]) {
          found[keys[index]] = try EngineRecord(checking: bytes).entry
        }
        if limit != nil { table.state.sizes.withLock { $0?.touch(names[index]) } }
      }
      return found
    }
  }

  /// Returns the keys of all entries that have not expired, as they were at one moment.
  ///
  /// They come in ascending order of their texts, those too long for the engine last. Reads all records. Keys of
  /// another type are left out.
  public func keys() throws -> [Key] { try keys(from: [EngineKey.entry], until: nil) }

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
    try keys(from: name(of: lower).bytes, until: name(of: upper).bytes)
  }

  private func keys(from lower: [UInt8], until upper: [UInt8]?) throws -> [Key] {
    var keys: [Key] = []
    try scanKeys(from: lower) { bytes, key in
      if let upper, !bytes.lexicographicallyPrecedes(upper) { return false }
      if let key { keys.append(key) }
      return true
    }
    return keys
  }

  /// Returns at most `limit` keys after a cursor, as they were at one moment, in the order of `keys()`.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    var keys: [Key] = []
    var next: [UInt8]?
    try scanKeys(from: cursor?.position() ?? [EngineKey.entry]) { bytes, key in
      if keys.count >= max(1, limit) {
        next = Array(bytes)
        return false
      }
      if let key { keys.append(key) }
      return true
    }
    return KeyPage(keys: keys, next: next.map { KeyCursor($0) })
  }

  /// Calls `body` with the bytes and the key of each entry that has not expired, until it returns `false`. Keys that
  /// were stored with another type are `nil`.
  private func scanKeys(
    from lower: [UInt8], _ body: (UnsafeRawBufferPointer, Key?) throws -> Bool
  ) throws {
    try explaining("list the entries") {
      let now = clock.now
      try table.scanEntries(from: lower) { bytes, record in
        if case .date(let date) = record.expiry, date <= now { return true }
        // A text that cannot be converted to this type of key, or that this key would not be stored under.
        guard let text = EngineKey.text(ofEntry: bytes, record), let key = Key(storageKey: text),
          key.storageKey == text
        else { return try body(bytes, nil) }
        return try body(bytes, key)
      }
    }
  }

  func name(of key: Key) -> EngineKey { EngineKey(key, longest: table.engine.longestKey) }
}
