// Generated from StorageAware+Async.swift by `make twins`.
extension SyncStorageAware {
  /// Reads the entry and discards its value. Override it where the expiry alone can be read at less cost.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try entryIfPresent(forKey: key)?.expiry
  }

  /// Calls `setObject` with this expiry.
  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try setObject(object, forKey: key, expiry: expiry)
  }

  /// Does nothing: there is no memory tier.
  public func removeInMemoryObject(forKey key: Key) throws {}

  /// Reads the keys one after the other.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try entryIfPresent(forKey: key) }
    return found
  }

  /// Stores the values one after the other. Stops at the first failure.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    for (key, object) in objects { try setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores the values of each expiry together. Stops at the first failure.
  public func setEntries(_ entries: [Key: Entry<Value>]) throws {
    for (expiry, objects) in entries.byExpiry() { try setObjects(objects, expiry: expiry) }
  }

  /// Removes the keys one after the other. Stops at the first failure.
  public func removeObjects(forKeys keys: [Key]) throws {
    for key in keys { try removeObject(forKey: key) }
  }
}
