extension StorageLink {
  @inlinable
  package func removeObject(forKey key: Key) async throws { try await base.removeObject(forKey: key) }

  @inlinable
  package func removeAll() async throws { try await base.removeAll() }

  @inlinable
  package func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }

  @inlinable
  package func keys() async throws -> [Key] { try await base.keys() }

  @inlinable
  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit)
  }

  @inlinable
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }

  @inlinable
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await base.removeInMemoryObject(forKey: key)
  }

  @inlinable
  package func removeObjects(forKeys keys: [Key]) async throws { try await base.removeObjects(forKeys: keys) }
}

extension StorageLink where Value == Base.Value {
  @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: key)
  }

  @inlinable
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: key, expiry: expiry)
  }

  @inlinable
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.replaceObject(object, forKey: key, expiry: expiry)
  }

  @inlinable
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await base.entries(forKeys: keys)
  }

  @inlinable
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await base.setObjects(objects, expiry: expiry)
  }

  @inlinable
  package func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await base.setEntries(entries) }
}

extension StorageLink where Base: ConditionalStorage {
  @inlinable
  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await base.touch(forKey: key, expiry: expiry)
  }
}

extension StorageLink where Base: ConditionalStorage, Value == Base.Value {
  @inlinable
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(object, forKey: key, expiry: expiry)
  }
}
