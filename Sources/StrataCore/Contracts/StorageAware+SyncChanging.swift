// Generated from StorageAware+AsyncChanging.swift by `make twins`.
extension SyncStorageAware {
  /// Stores a value, replacing any value of the key. If the expiry is `nil`, the store's default applies.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try change(key, .set(object, expiry), [])
  }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key) throws {
    try setObject(object, forKey: key, expiry: nil)
  }

  /// Stores a changed value in place of a value that was read with this expiry. A store with several tiers keeps the
  /// expiry of each tier.
  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try change(key, .replace(object, expiry), [])
  }

  /// Removes the entry of a key, if there is one.
  @inlinable
  public func removeObject(forKey key: Key) throws { try change(key, .remove, []) }

  /// Removes a key from the memory tier only; other tiers keep it.
  @inlinable
  public func removeInMemoryObject(forKey key: Key) throws { try change(key, .forget, []) }

  /// Stores many values.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry? = nil) throws {
    try change(.set(objects, expiry), [])
  }

  /// Stores many values, each with the expiry of its entry.
  @inlinable
  public func setEntries(_ entries: [Key: Entry<Value>]) throws {
    try change(.setEntries(entries), [])
  }

  /// Removes the entries of many keys.
  @inlinable
  public func removeObjects(forKeys keys: [Key]) throws { try change(.remove(keys), []) }

  /// Removes all entries.
  @inlinable
  public func removeAll() throws { try clear(.everything) }

  /// Removes expired entries.
  @inlinable
  public func removeExpiredObjects() throws { try clear(.expired) }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func set(_ value: Value, forKey key: Key) throws {
    try setObject(value, forKey: key, expiry: nil)
  }

  /// Changes the keys one after the other. Stops at the first failure.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    switch batch {
    case .set(let objects, let expiry):
      for (key, object) in objects { try change(key, .set(object, expiry), how) }
    case .setEntries(let entries):
      for (key, entry) in entries { try change(key, .set(entry.object, entry.expiry), how) }
    case .remove(let keys):
      for key in keys { try change(key, .remove, how) }
    }
  }
}
