// sync: extension PushingStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
extension PushingStorage {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await front.entryIfPresent(forKey: key)
  }

  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await front.entries(forKeys: keys)
  }

  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await front.expiryIfPresent(forKey: key)
  }

  package func keys() async throws -> [Key] { try await front.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await front.keyPage(after: cursor, limit: limit)
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await order.withTurn(.key(key)) {
      try await back.setObject(object, forKey: key, expiry: expiry)
      try await finishing { try await front.setObject(object, forKey: key, expiry: expiry) }
    }
  }

  /// Stores a changed value in both stores. Each store keeps its expiry: of the back only the expiry is read.
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await order.withTurn(.key(key)) {
      let inBack = try await kept(back.expiryIfPresent(forKey: key)) ?? expiry
      try await back.replaceObject(object, forKey: key, expiry: inBack)
      try await finishing { try await front.replaceObject(object, forKey: key, expiry: expiry) }
    }
  }

  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await order.withTurn(TurnScope(objects.keys)) {
      try await back.setObjects(objects, expiry: expiry)
      try await finishing { try await front.setObjects(objects, expiry: expiry) }
    }
  }

  package func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    let entries = entries.mapValues { $0.resolved(by: clock) }
    try await order.withTurn(TurnScope(entries.keys)) {
      try await back.setEntries(entries)
      try await finishing { try await front.setEntries(entries) }
    }
  }

  package func removeObject(forKey key: Key) async throws {
    try await order.withTurn(.key(key)) {
      try await back.removeObject(forKey: key)
      try await finishing { try await front.removeObject(forKey: key) }
    }
  }

  package func removeObjects(forKeys keys: [Key]) async throws {
    try await order.withTurn(TurnScope(keys)) {
      try await back.removeObjects(forKeys: keys)
      try await finishing { try await front.removeObjects(forKeys: keys) }
    }
  }

  package func removeAll() async throws {
    try await order.withTurn(.everything) {
      try await back.removeAll()
      try await finishing { try await front.removeAll() }
    }
  }

  package func removeExpiredObjects() async throws {
    try await back.removeExpiredObjects()
    try await front.removeExpiredObjects()
  }

  /// Removes a key from the memory tier of the front. The back is never read.
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await front.removeInMemoryObject(forKey: key)
  }
}
