// sync: extension HybridStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
extension HybridStorage {
  /// Returns the entry from the front, or else from the back. An entry found in the back is copied to the front.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<TypeWrapper>? {
    try await tiers.entryIfPresent(forKey: key)
  }

  /// Stores a value in the back, then in the front.
  @inlinable
  public func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try encode(object, forKey: key)
    try await tiers.setObject(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  /// Stores a changed value in the back, then in the front. Each tier keeps its expiry.
  public func replaceObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    try encode(object, forKey: key)
    try await tiers.replaceObject(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  /// Removes a key from the back, then from the front even if the back fails.
  @inlinable
  public func removeObject(forKey key: Key) async throws { try await tiers.removeObject(forKey: key) }

  /// Removes all entries from the back, then from the front even if the back fails. Runs alone, so no concurrent read
  /// copies an entry to the front afterwards.
  public func removeAll() async throws { try await tiers.removeAll() }

  /// Removes expired entries from both tiers, from the front even if the back fails.
  public func removeExpiredObjects() async throws { try await tiers.removeExpiredObjects() }

  /// Returns the keys of both tiers without duplicates.
  public func keys() async throws -> [Key] { try await tiers.keys() }

  /// Returns at most `limit` keys of the inner store after a cursor.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await tiers.keyPage(after: cursor, limit: limit)
  }

  /// Returns the expiry of the entry that a read would return.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await tiers.expiryIfPresent(forKey: key)
  }

  /// Removes a key from the memory tier in front.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await tiers.removeInMemoryObject(forKey: key)
  }

  /// Returns many entries from the front, and the missing ones from the back in one batch.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<TypeWrapper>] {
    try await tiers.entries(forKeys: keys)
  }

  /// Stores many values, in one batch per tier, the back first. If one value cannot be encoded, none is stored.
  public func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    for (key, object) in objects { try encode(object, forKey: key) }
    try await tiers.setObjects(objects, expiry: expiry)
    for object in objects.values { object.forgetBytes() }
  }

  /// Stores many values, each with its own expiry, in one batch per tier, the back first. If one value cannot be
  /// encoded, none is stored.
  public func setEntries(_ entries: [Key: Entry<TypeWrapper>]) async throws {
    for (key, entry) in entries { try encode(entry.object, forKey: key) }
    try await tiers.setEntries(entries)
    for entry in entries.values { entry.object.forgetBytes() }
  }

  /// Removes many keys, in one batch per tier, the back first.
  public func removeObjects(forKeys keys: [Key]) async throws { try await tiers.removeObjects(forKeys: keys) }
}
