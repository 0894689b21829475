extension StorageAware {
  /// Reads the entry and discards its value. Override it where the expiry alone can be read at less cost.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await entryIfPresent(forKey: key)?.expiry
  }

  /// Calls `setObject` with this expiry.
  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await setObject(object, forKey: key, expiry: expiry)
  }

  /// Does nothing: there is no memory tier.
  public func removeInMemoryObject(forKey key: Key) async throws {}

  /// Reads the keys one after the other.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try await entryIfPresent(forKey: key) }
    return found
  }

  /// Stores the values one after the other. Stops at the first failure.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    for (key, object) in objects { try await setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores the values of each expiry together. Stops at the first failure.
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    for (expiry, objects) in entries.byExpiry() { try await setObjects(objects, expiry: expiry) }
  }

  /// Removes the keys one after the other. Stops at the first failure.
  public func removeObjects(forKeys keys: [Key]) async throws {
    for key in keys { try await removeObject(forKey: key) }
  }
}
