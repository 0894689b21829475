// sync: extension MappedKeys: SyncStorageAware where Base: SyncStorageAware {
extension MappedKeys {
  @inlinable
  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: inner(key))
  }

  @inlinable
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: inner(key), expiry: expiry)
  }

  @inlinable
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.replaceObject(object, forKey: inner(key), expiry: expiry)
  }

  @inlinable
  func removeObject(forKey key: Key) async throws { try await base.removeObject(forKey: inner(key)) }

  /// Removes only the keys that can be mapped. Expired keys are not listed, so expired entries are removed too; this
  /// comes last, so that no entry expires between the two steps.
  @inlinable
  func removeAll() async throws {
    // sync: try base.forEachKeyPage { keys in
    for try await keys in base.keyPages() {
      try await base.removeObjects(forKeys: keys.filter { try outer($0) != nil })
    }
    try await base.removeExpiredObjects()
  }

  @inlinable
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }

  @inlinable
  func keys() async throws -> [Key] { try await base.keys().compactMap { try outer($0) } }

  @usableFromInline
  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit).replacingKeys { try $0.compactMap { try outer($0) } }
  }

  @inlinable
  func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: inner(key))
  }

  @inlinable
  func removeInMemoryObject(forKey key: Key) async throws {
    try await base.removeInMemoryObject(forKey: inner(key))
  }

  @inlinable
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    let inners = try inner(keys)
    return try await outer(base.entries(forKeys: Array(inners.values)), inners)
  }

  @inlinable
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await base.setObjects(inner(objects), expiry: expiry)
  }

  @inlinable
  func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await base.setEntries(inner(entries)) }

  @inlinable
  func removeObjects(forKeys keys: [Key]) async throws {
    try await base.removeObjects(forKeys: keys.map { try inner($0) })
  }
}
