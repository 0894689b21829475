// sync: extension TypeWrapperStorage: SyncStorageAware where Inner: SyncStorageAware {
extension TypeWrapperStorage {
  /// Returns the decoded entry. Throws `.typeNotMatch` if the bytes cannot be decoded as `Value`.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await inner.entryIfPresent(forKey: key).map { try unwrap($0, forKey: key) }
  }

  /// Stores a value. It is encoded when a tier first needs its bytes.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await inner.setObject(wrap(object), forKey: key, expiry: expiry)
  }

  /// Stores a changed value as the inner chain does.
  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await inner.replaceObject(wrap(object), forKey: key, expiry: expiry)
  }

  /// Removes the entry of a key, whatever its type.
  @inlinable
  public func removeObject(forKey key: Key) async throws { try await inner.removeObject(forKey: key) }

  /// Removes all entries, whatever their types.
  public func removeAll() async throws { try await inner.removeAll() }

  /// Removes expired entries, whatever their types.
  public func removeExpiredObjects() async throws { try await inner.removeExpiredObjects() }

  /// Returns all keys, whatever the types of their values.
  public func keys() async throws -> [Key] { try await inner.keys() }

  /// Returns at most `limit` keys of the inner store after a cursor.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await inner.keyPage(after: cursor, limit: limit)
  }

  /// Returns the expiry of an entry without decoding its value.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await inner.expiryIfPresent(forKey: key)
  }

  /// Removes a key from the memory tier.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await inner.removeInMemoryObject(forKey: key)
  }

  /// Returns many decoded entries. Throws at the first value that cannot be decoded.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for (key, entry) in try await inner.entries(forKeys: keys) { found[key] = try unwrap(entry, forKey: key) }
    return found
  }

  /// Stores many values as the inner chain does.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    // sync: if try setBytes(of: objects, expiry: expiry) { return }
    // sync: try inner.setObjects(objects.mapValues { wrap($0) }, expiry: expiry)
    try await inner.setObjects(objects.mapValues { wrap($0) }, expiry: expiry)
  }

  /// Stores many values, each with its own expiry, as the inner chain does.
  @inlinable
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    // sync: if try setBytes(of: entries) { return }
    // sync: try inner.setEntries(entries.mapValues { $0.map { wrap($0) } })
    try await inner.setEntries(entries.mapValues { $0.map { wrap($0) } })
  }

  /// Removes the entries of many keys as the inner chain does.
  public func removeObjects(forKeys keys: [Key]) async throws { try await inner.removeObjects(forKeys: keys) }
}
