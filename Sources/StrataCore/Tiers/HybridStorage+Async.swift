extension HybridStorage {
  /// Reads from the front, else from the back, and then puts what was found in front.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<TypeWrapper>? {
    try await tiers.entryIfPresent(forKey: key)
  }

  /// Stores in the back, then in the front.
  @inlinable
  public func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try encode(object, forKey: key)
    try await tiers.setObject(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  /// Stores a changed value in the back, then in the front; each keeps the expiry that it had.
  public func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try encode(object, forKey: key)
    try await tiers.replaceObject(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  /// Removes from the back, then from the front, also if the back fails.
  @inlinable
  public func removeObject(forKey key: Key) async throws { try await tiers.removeObject(forKey: key) }

  /// Empties the back, then the front, also if the back fails. Runs alone: what is being read now is not put in front
  /// afterwards.
  public func removeAll() async throws { try await tiers.removeAll() }

  /// Removes from both tiers what has expired, from the front also if the back fails.
  public func removeExpiredObjects() async throws { try await tiers.removeExpiredObjects() }

  /// The keys of both tiers, each once.
  public func keys() async throws -> [Key] { try await tiers.keys() }

  /// The expiry of what a read would return.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await tiers.expiryIfPresent(forKey: key)
  }

  /// Forgets what the memory tier in front holds of a key.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await tiers.removeInMemoryObject(forKey: key)
  }

  /// Reads many from the front, the rest in one batch from the back.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<TypeWrapper>] {
    try await tiers.entries(forKeys: keys)
  }

  /// Stores many in one batch a tier, the back first. If one cannot be encoded, none is stored.
  public func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    for (key, object) in objects { try encode(object, forKey: key) }
    try await tiers.setObjects(objects, expiry: expiry)
    for object in objects.values { object.forgetBytes() }
  }

  /// Removes many in one batch a tier, the back first.
  public func removeObjects(forKeys keys: [Key]) async throws { try await tiers.removeObjects(forKeys: keys) }
}
