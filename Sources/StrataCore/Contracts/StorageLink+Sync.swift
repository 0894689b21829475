// Generated from StorageLink+Async.swift by `make twins`.
extension SyncStorageLink {
  @inlinable
  package func removeObject(forKey key: Key) throws { try base.removeObject(forKey: key) }

  @inlinable
  package func removeAll() throws { try base.removeAll() }

  @inlinable
  package func removeExpiredObjects() throws { try base.removeExpiredObjects() }

  @inlinable
  package func keys() throws -> [Key] { try base.keys() }

  @inlinable
  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.keyPage(after: cursor, limit: limit)
  }

  @inlinable
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try base.expiryIfPresent(forKey: key)
  }

  @inlinable
  package func removeInMemoryObject(forKey key: Key) throws {
    try base.removeInMemoryObject(forKey: key)
  }

  @inlinable
  package func removeObjects(forKeys keys: [Key]) throws { try base.removeObjects(forKeys: keys) }
}

extension SyncStorageLink where Value == Base.Value {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: key)
  }

  @inlinable
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }

  @inlinable
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.replaceObject(object, forKey: key, expiry: expiry)
  }

  @inlinable
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try base.entries(forKeys: keys)
  }

  @inlinable
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try base.setObjects(objects, expiry: expiry)
  }

  @inlinable
  package func setEntries(_ entries: [Key: Entry<Value>]) throws { try base.setEntries(entries) }
}

extension SyncStorageLink where Base: SyncConditionalStorage {
  @inlinable
  package func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try base.touch(forKey: key, expiry: expiry)
  }
}

extension SyncStorageLink where Base: SyncConditionalStorage, Value == Base.Value {
  @inlinable
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object, forKey: key, expiry: expiry)
  }
}
