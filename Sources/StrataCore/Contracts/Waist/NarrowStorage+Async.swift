extension NarrowStorage {
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? { try await read(key, []) }

  @inlinable
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await read(key, .expiryOnly)?.expiry
  }

  @inlinable
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] { try await read(keys, []) }

  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await change(key, .set(object, expiry), [])
  }

  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await change(key, .replace(object, expiry), [])
  }

  @inlinable
  public func removeObject(forKey key: Key) async throws { try await change(key, .remove, []) }

  @inlinable
  public func removeInMemoryObject(forKey key: Key) async throws { try await change(key, .forget, []) }

  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await change(.set(objects, expiry), [])
  }

  @inlinable
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    try await change(.setEntries(entries), [])
  }

  @inlinable
  public func removeObjects(forKeys keys: [Key]) async throws { try await change(.remove(keys), []) }

  @inlinable
  public func removeAll() async throws { try await clear(.everything) }

  @inlinable
  public func removeExpiredObjects() async throws { try await clear(.expired) }

  public func keys() async throws -> [Key] {
    var all: [Key] = []
    // sync: try forEachKeyPage(limit: .max) { keys in all += keys }
    for try await keys in keyPages(limit: .max) { all += keys }
    return all
  }

  @inlinable
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await list(after: cursor, limit: limit)
  }
}

// What a store without batches of its own does with them.
extension NarrowStorage {
  @inlinable
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try await readEach(keys, how)
  }

  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    switch batch {
    case .set(let objects, let expiry):
      for (key, object) in objects { try await change(key, .set(object, expiry), how) }
    case .setEntries(let entries):
      for (key, entry) in entries { try await change(key, .set(entry.object, entry.expiry), how) }
    case .remove(let keys):
      for key in keys { try await change(key, .remove, how) }
    }
  }
}

extension NarrowStorage where Self: ConditionalStorage {
  @inlinable
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await change(key, .setIfAbsent(object, expiry), [])
  }

  @inlinable
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await change(key, .touch(expiry), [])
  }
}
