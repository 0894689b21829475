extension StorageAware {
  /// Stores a value, replacing any value of the key. If the expiry is `nil`, the store's default applies.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await change(key, .set(object, expiry), [])
  }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key) async throws {
    try await setObject(object, forKey: key, expiry: nil)
  }

  /// Stores a changed value in place of a value that was read with this expiry. A store with several tiers keeps the
  /// expiry of each tier.
  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await change(key, .replace(object, expiry), [])
  }

  /// Removes the entry of a key, if there is one.
  @inlinable
  public func removeObject(forKey key: Key) async throws { try await change(key, .remove, []) }

  /// Removes a key from the memory tier only; other tiers keep it.
  @inlinable
  public func removeInMemoryObject(forKey key: Key) async throws { try await change(key, .forget, []) }

  /// Stores many values.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry? = nil) async throws {
    try await change(.set(objects, expiry), [])
  }

  /// Stores many values, each with the expiry of its entry.
  @inlinable
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    try await change(.setEntries(entries), [])
  }

  /// Removes the entries of many keys.
  @inlinable
  public func removeObjects(forKeys keys: [Key]) async throws { try await change(.remove(keys), []) }

  /// Removes all entries.
  @inlinable
  public func removeAll() async throws { try await clear(.everything) }

  /// Removes expired entries.
  @inlinable
  public func removeExpiredObjects() async throws { try await clear(.expired) }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func set(_ value: Value, forKey key: Key) async throws {
    try await setObject(value, forKey: key, expiry: nil)
  }

  /// Changes the keys one after the other. Stops at the first failure.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    switch batch {
    case .set(let objects, let expiry):
      for (key, object) in objects { try await change(key, .set(object, expiry), how) }
    case .setEntries(let entries):
      for (key, entry) in entries { try await change(key, .set(entry.object, entry.expiry), how) }
    case .remove(let keys):
      for key in keys { try await change(key, .remove, how) }
    }
  }
}
