// Generated from MappedKeys+Async.swift by `make twins`.
extension MappedKeys: SyncStorageAware where Base: SyncStorageAware {
  @inlinable
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: inner(key))
  }

  @inlinable
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(object, forKey: inner(key), expiry: expiry)
  }

  @inlinable
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.replaceObject(object, forKey: inner(key), expiry: expiry)
  }

  @inlinable
  func removeObject(forKey key: Key) throws { try base.removeObject(forKey: inner(key)) }

  /// Removes only the keys that can be mapped. Expired keys are not listed, so expired entries are removed too; this
  /// comes last, so that no entry expires between the two steps.
  @inlinable
  func removeAll() throws {
    try base.forEachKeyPage { keys in
      try base.removeObjects(forKeys: keys.filter { try outer($0) != nil })
    }
    try base.removeExpiredObjects()
  }

  @inlinable
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }

  @inlinable
  func keys() throws -> [Key] { try base.keys().compactMap { try outer($0) } }

  @usableFromInline
  func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.keyPage(after: cursor, limit: limit).replacingKeys { try $0.compactMap { try outer($0) } }
  }

  @inlinable
  func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try base.expiryIfPresent(forKey: inner(key))
  }

  @inlinable
  func removeInMemoryObject(forKey key: Key) throws {
    try base.removeInMemoryObject(forKey: inner(key))
  }

  @inlinable
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    let inners = try inner(keys)
    return try outer(base.entries(forKeys: Array(inners.values)), inners)
  }

  @inlinable
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try base.setObjects(inner(objects), expiry: expiry)
  }

  @inlinable
  func setEntries(_ entries: [Key: Entry<Value>]) throws { try base.setEntries(inner(entries)) }

  @inlinable
  func removeObjects(forKeys keys: [Key]) throws {
    try base.removeObjects(forKeys: keys.map { try inner($0) })
  }
}
