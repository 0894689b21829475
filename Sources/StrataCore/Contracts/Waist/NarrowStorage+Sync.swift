// Generated from NarrowStorage+Async.swift by `make twins`.
extension SyncNarrowStorage {
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? { try read(key, []) }

  @inlinable
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try read(key, .expiryOnly)?.expiry
  }

  @inlinable
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] { try read(keys, []) }

  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try change(key, .set(object, expiry), [])
  }

  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try change(key, .replace(object, expiry), [])
  }

  @inlinable
  public func removeObject(forKey key: Key) throws { try change(key, .remove, []) }

  @inlinable
  public func removeInMemoryObject(forKey key: Key) throws { try change(key, .forget, []) }

  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try change(.set(objects, expiry), [])
  }

  @inlinable
  public func setEntries(_ entries: [Key: Entry<Value>]) throws {
    try change(.setEntries(entries), [])
  }

  @inlinable
  public func removeObjects(forKeys keys: [Key]) throws { try change(.remove(keys), []) }

  @inlinable
  public func removeAll() throws { try clear(.everything) }

  @inlinable
  public func removeExpiredObjects() throws { try clear(.expired) }

  public func keys() throws -> [Key] {
    var all: [Key] = []
    try forEachKeyPage(limit: .max) { keys in all += keys }
    return all
  }

  @inlinable
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try list(after: cursor, limit: limit)
  }
}

// What a store without batches of its own does with them.
extension SyncNarrowStorage {
  @inlinable
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    try readEach(keys, how)
  }

  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    switch batch {
    case .set(let objects, let expiry):
      for (key, object) in objects { try change(key, .set(object, expiry), how) }
    case .setEntries(let entries):
      for (key, entry) in entries { try change(key, .set(entry.object, entry.expiry), how) }
    case .remove(let keys):
      for key in keys { try change(key, .remove, how) }
    }
  }
}

extension SyncNarrowStorage where Self: SyncConditionalStorage {
  @inlinable
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try change(key, .setIfAbsent(object, expiry), [])
  }

  @inlinable
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try change(key, .touch(expiry), [])
  }
}
