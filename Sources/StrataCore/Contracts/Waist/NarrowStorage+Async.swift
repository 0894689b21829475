extension NarrowStorage {
  @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? { try await read(key, []) }

  @inlinable
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await read(key, .expiryOnly)?.expiry
  }

  @inlinable
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] { try await read(keys, []) }

  @inlinable
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await change(key, .set(object, expiry), [])
  }

  @inlinable
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await change(key, .replace(object, expiry), [])
  }

  @inlinable
  package func removeObject(forKey key: Key) async throws { try await change(key, .remove, []) }

  @inlinable
  package func removeInMemoryObject(forKey key: Key) async throws { try await change(key, .forget, []) }

  @inlinable
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await change(.set(objects, expiry), [])
  }

  @inlinable
  package func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    try await change(.setEntries(entries), [])
  }

  @inlinable
  package func removeObjects(forKeys keys: [Key]) async throws { try await change(.remove(keys), []) }

  @inlinable
  package func removeAll() async throws { try await clear(.everything) }

  @inlinable
  package func removeExpiredObjects() async throws { try await clear(.expired) }

  @usableFromInline
  package func keys() async throws -> [Key] {
    var all: [Key] = []
    // sync: try forEachKeyPage { keys in all += keys }
    for try await keys in keyPages() { all += keys }
    return all
  }

  @inlinable
  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await list(after: cursor, limit: limit)
  }
}

extension NarrowStorage where Self: ConditionalStorage {
  @inlinable
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await change(key, .setIfAbsent(object, expiry), [])
  }

  @inlinable
  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await change(key, .touch(expiry), [])
  }
}
