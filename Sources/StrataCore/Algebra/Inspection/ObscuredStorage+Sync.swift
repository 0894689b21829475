extension ObscuredStorage: SyncStorageAware where Base: SyncStorageAware {
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.replaceObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: Key) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [Key] { try base.keys() }

  func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.keyPage(after: cursor, limit: limit)
  }
  func expiryIfPresent(forKey key: Key) throws -> Expiry? { try base.expiryIfPresent(forKey: key) }
  func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> { base.cachedEntry(forKey: key) }
  func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { base.cachedExpiry(forKey: key) }
  func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setObjectAtOnce(object, forKey: key, expiry: expiry)
  }
  func removeInMemoryObject(forKey key: Key) throws { try base.removeInMemoryObject(forKey: key) }
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] { try base.entries(forKeys: keys) }
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try base.setObjects(objects, expiry: expiry)
  }
  func setEntries(_ entries: [Key: Entry<Value>]) throws { try base.setEntries(entries) }
  func removeObjects(forKeys keys: [Key]) throws { try base.removeObjects(forKeys: keys) }
}
