extension MappedValues: SyncStorageAware where Base: SyncStorageAware {
  @inlinable
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: key).map { try reading($0, forKey: key) }
  }

  @inlinable
  func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try base.cachedEntry(forKey: key).get().map { try reading($0, forKey: key) } }
  }

  @inlinable
  func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { base.cachedExpiry(forKey: key) }

  @inlinable
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(writing(object, forKey: key), forKey: key, expiry: expiry)
  }

  @inlinable
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.replaceObject(writing(object, forKey: key), forKey: key, expiry: expiry)
  }

  @inlinable
  func removeObject(forKey key: Key) throws { try base.removeObject(forKey: key) }

  @inlinable
  func removeAll() throws { try base.removeAll() }

  @inlinable
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }

  @inlinable
  func keys() throws -> [Key] { try base.keys() }

  @inlinable
  func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.keyPage(after: cursor, limit: limit)
  }

  @inlinable
  func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try base.expiryIfPresent(forKey: key)
  }

  @inlinable
  func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setObjectAtOnce(writing(object, forKey: key), forKey: key, expiry: expiry)
  }

  @inlinable
  func removeInMemoryObject(forKey key: Key) throws {
    try base.removeInMemoryObject(forKey: key)
  }

  @inlinable
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try reading(base.entries(forKeys: keys))
  }

  @inlinable
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try base.setObjects(writing(objects), expiry: expiry)
  }

  @inlinable
  func setEntries(_ entries: [Key: Entry<Value>]) throws { try base.setEntries(writing(entries)) }

  @inlinable
  func removeObjects(forKeys keys: [Key]) throws { try base.removeObjects(forKeys: keys) }
}
