extension HybridStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the entry from the front, or else from the back. An entry found in the back is copied to the front.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<TypeWrapper>? {
    try tiers.entryIfPresent(forKey: key)
  }

  /// Stores a value in the back, then in the front.
  @inlinable
  public func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try encode(object, forKey: key)
    try tiers.setObject(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  /// Stores a changed value in the back, then in the front. Each tier keeps its expiry.
  public func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try encode(object, forKey: key)
    try tiers.replaceObject(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  /// Removes a key from the back, then from the front even if the back fails.
  @inlinable
  public func removeObject(forKey key: Key) throws { try tiers.removeObject(forKey: key) }

  /// Removes all entries from the back, then from the front even if the back fails. Runs alone, so no concurrent read
  /// copies an entry to the front afterwards.
  public func removeAll() throws { try tiers.removeAll() }

  /// Removes expired entries from both tiers, from the front even if the back fails.
  public func removeExpiredObjects() throws { try tiers.removeExpiredObjects() }

  /// Returns the keys of both tiers without duplicates.
  public func keys() throws -> [Key] { try tiers.keys() }

  /// Returns at most `limit` keys of the inner store after a cursor.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try tiers.keyPage(after: cursor, limit: limit)
  }

  /// Returns the expiry of the entry that a read would return.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try tiers.expiryIfPresent(forKey: key)
  }

  /// Returns the result of a read if neither tier has to wait for it. Copies an entry to the front as a read does.
  @inlinable
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<TypeWrapper>> {
    tiers.cachedEntry(forKey: key)
  }

  /// Returns the expiry of the entry that a read would return, if neither tier has to wait for it.
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { tiers.cachedExpiry(forKey: key) }

  /// Stores a value in the back, then in the front, if neither tier has to wait. If not, the wrapper keeps the encoded
  /// bytes.
  @inlinable
  public func setObjectAtOnce(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try encode(object, forKey: key)
    guard try tiers.setObjectAtOnce(object, forKey: key, expiry: expiry) else { return false }
    object.forgetBytes()
    return true
  }

  /// Removes a key from the memory tier in front.
  public func removeInMemoryObject(forKey key: Key) throws {
    try tiers.removeInMemoryObject(forKey: key)
  }

  /// Returns many entries from the front, and the missing ones from the back in one batch.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<TypeWrapper>] {
    try tiers.entries(forKeys: keys)
  }

  /// Stores many values, in one batch per tier, the back first. If one value cannot be encoded, none is stored.
  public func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws {
    for (key, object) in objects { try encode(object, forKey: key) }
    try tiers.setObjects(objects, expiry: expiry)
    for object in objects.values { object.forgetBytes() }
  }

  /// Stores many values, each with its own expiry, in one batch per tier, the back first. If one value cannot be
  /// encoded, none is stored.
  public func setEntries(_ entries: [Key: Entry<TypeWrapper>]) throws {
    for (key, entry) in entries { try encode(entry.object, forKey: key) }
    try tiers.setEntries(entries)
    for entry in entries.values { entry.object.forgetBytes() }
  }

  /// Removes many keys, in one batch per tier, the back first.
  public func removeObjects(forKeys keys: [Key]) throws { try tiers.removeObjects(forKeys: keys) }
}
