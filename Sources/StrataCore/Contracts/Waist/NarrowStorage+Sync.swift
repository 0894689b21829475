// Generated from NarrowStorage+Async.swift by `make twins`.
extension SyncNarrowStorage {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? { try read(key, []) }

  @inlinable
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try read(key, .expiryOnly)?.expiry
  }

  @inlinable
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] { try read(keys, []) }

  @inlinable
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try change(key, .set(object, expiry), [])
  }

  @inlinable
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try change(key, .replace(object, expiry), [])
  }

  @inlinable
  package func removeObject(forKey key: Key) throws { try change(key, .remove, []) }

  @inlinable
  package func removeInMemoryObject(forKey key: Key) throws { try change(key, .forget, []) }

  @inlinable
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try change(.set(objects, expiry), [])
  }

  @inlinable
  package func setEntries(_ entries: [Key: Entry<Value>]) throws {
    try change(.setEntries(entries), [])
  }

  @inlinable
  package func removeObjects(forKeys keys: [Key]) throws { try change(.remove(keys), []) }

  @inlinable
  package func removeAll() throws { try clear(.everything) }

  @inlinable
  package func removeExpiredObjects() throws { try clear(.expired) }

  @usableFromInline
  package func keys() throws -> [Key] {
    var all: [Key] = []
    try forEachKeyPage { keys in all += keys }
    return all
  }

  @inlinable
  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try list(after: cursor, limit: limit)
  }
}

extension SyncNarrowStorage where Self: SyncConditionalStorage {
  @inlinable
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try change(key, .setIfAbsent(object, expiry), [])
  }

  @inlinable
  package func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try change(key, .touch(expiry), [])
  }
}
