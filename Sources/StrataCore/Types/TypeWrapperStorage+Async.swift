extension TypeWrapperStorage {
  /// Reads and decodes; throws `.typeNotMatch` where the bytes are no `Value`.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await inner.entryIfPresent(forKey: key).map { try unwrap($0, forKey: key) }
  }

  /// Stores a value; it is encoded when a tier first needs its bytes.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await inner.setObject(wrap(object), forKey: key, expiry: expiry)
  }

  /// Stores a changed value as the chain below does.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await inner.replaceObject(wrap(object), forKey: key, expiry: expiry)
  }

  /// Removes what is stored under a key, whatever its type.
  @inlinable
  public func removeObject(forKey key: Key) async throws { try await inner.removeObject(forKey: key) }

  /// Removes everything, whatever its type.
  public func removeAll() async throws { try await inner.removeAll() }

  /// Removes what has expired, whatever its type.
  public func removeExpiredObjects() async throws { try await inner.removeExpiredObjects() }

  /// All keys, whatever the type of their values.
  public func keys() async throws -> [Key] { try await inner.keys() }

  /// The expiry of what is stored, without decoding it.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await inner.expiryIfPresent(forKey: key)
  }

  /// Forgets what memory holds of a key.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await inner.removeInMemoryObject(forKey: key)
  }

  /// Reads and decodes many; throws at the first that cannot be decoded.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for (key, entry) in try await inner.entries(forKeys: keys) { found[key] = try unwrap(entry, forKey: key) }
    return found
  }

  /// Stores many values as the chain below does.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await inner.setObjects(objects.mapValues(wrap), expiry: expiry)
  }

  /// Removes many as the chain below does.
  public func removeObjects(forKeys keys: [Key]) async throws { try await inner.removeObjects(forKeys: keys) }
}
