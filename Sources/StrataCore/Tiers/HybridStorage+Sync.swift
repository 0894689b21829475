extension HybridStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Reads from the front, else from the back, and then puts what was found in front.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<TypeWrapper>? {
    try tiers.entryIfPresent(forKey: key)
  }

  /// The same for a caller that has asked the front already: it looks there again in the turn of the key only.
  @inlinable
  package func entryInTurn(forKey key: Key) throws -> Entry<TypeWrapper>? { try tiers.missed(key) }

  /// Stores in the back, then in the front.
  @inlinable
  public func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try encode(object, forKey: key)
    try tiers.setObject(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  /// Stores a changed value in the back, then in the front; each keeps the expiry that it had.
  public func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try encode(object, forKey: key)
    try tiers.replaceObject(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  /// Removes from the back, then from the front, also if the back fails.
  @inlinable
  public func removeObject(forKey key: Key) throws { try tiers.removeObject(forKey: key) }

  /// Empties the back, then the front, also if the back fails. Runs alone: what is being read now is not put in front
  /// afterwards.
  public func removeAll() throws { try tiers.removeAll() }

  /// Removes from both tiers what has expired, from the front also if the back fails.
  public func removeExpiredObjects() throws { try tiers.removeExpiredObjects() }

  /// The keys of both tiers, each once.
  public func keys() throws -> [Key] { try tiers.keys() }

  /// The expiry of what a read would return.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try tiers.expiryIfPresent(forKey: key)
  }

  /// What a read would return, put in front as by it, if neither tier has to wait for it.
  @inlinable
  public func entryAtHand(forKey key: Key) -> AtHand<Entry<TypeWrapper>> { tiers.entryAtHand(forKey: key) }

  /// The expiry of what a read would return, if neither tier has to wait for it.
  public func expiryAtHand(forKey key: Key) -> AtHand<Expiry> { tiers.expiryAtHand(forKey: key) }

  /// Stores in the back, then in the front, if neither has to wait. If not, the bytes that were made are kept.
  @inlinable
  public func setObjectAtOnce(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try encode(object, forKey: key)
    guard try tiers.setObjectAtOnce(object, forKey: key, expiry: expiry) else { return false }
    object.forgetBytes()
    return true
  }

  /// Forgets what the memory tier in front holds of a key.
  public func removeInMemoryObject(forKey key: Key) throws {
    try tiers.removeInMemoryObject(forKey: key)
  }

  /// Reads many from the front, the rest in one batch from the back.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<TypeWrapper>] {
    try tiers.entries(forKeys: keys)
  }

  /// Stores many in one batch a tier, the back first. If one cannot be encoded, none is stored.
  public func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws {
    for (key, object) in objects { try encode(object, forKey: key) }
    try tiers.setObjects(objects, expiry: expiry)
    for object in objects.values { object.forgetBytes() }
  }

  /// Removes many in one batch a tier, the back first.
  public func removeObjects(forKeys keys: [Key]) throws { try tiers.removeObjects(forKeys: keys) }
}
