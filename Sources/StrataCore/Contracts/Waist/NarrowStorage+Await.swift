// For a type that is known, the functions of `SyncStorageAware` and of `NarrowStorage` would be ambiguous.
extension SyncNarrowStorage where Self: NarrowStorage {
  /// Returns the expiry of the stored entry, or `nil` if there is none. Never decodes the value.
  @inlinable
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try withoutSuspending { try expiryIfPresent(forKey: key) }
  }

  /// Stores a changed value in place of a value that was read with this expiry.
  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try withoutSuspending { try replaceObject(object, forKey: key, expiry: expiry) }
  }

  /// Returns at most `limit` keys after a cursor, or the first ones without a cursor.
  @inlinable
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try withoutSuspending { try keyPage(after: cursor, limit: limit) }
  }

  /// Removes a key from the memory tier only; other tiers keep it.
  @inlinable
  public func removeInMemoryObject(forKey key: Key) async throws {
    try withoutSuspending { try removeInMemoryObject(forKey: key) }
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try withoutSuspending { try entries(forKeys: keys) }
  }

  /// Stores many values.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try withoutSuspending { try setObjects(objects, expiry: expiry) }
  }

  /// Stores many values, each with the expiry of its entry.
  @inlinable
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    try withoutSuspending { try setEntries(entries) }
  }

  /// Removes the entries of many keys.
  @inlinable
  public func removeObjects(forKeys keys: [Key]) async throws {
    try withoutSuspending { try removeObjects(forKeys: keys) }
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try withoutSuspending { try read(keys, how) }
  }

  /// Changes many keys.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try withoutSuspending { try change(batch, how) }
  }
}
