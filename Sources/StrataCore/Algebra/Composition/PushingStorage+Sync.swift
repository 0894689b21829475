// Generated from PushingStorage+Async.swift by `make twins`.
extension PushingStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try front.entryIfPresent(forKey: key)
  }

  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try front.entries(forKeys: keys)
  }

  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try front.expiryIfPresent(forKey: key)
  }

  package func keys() throws -> [Key] { try front.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try front.keyPage(after: cursor, limit: limit)
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try order.withTurn(.key(key)) {
      try back.setObject(object, forKey: key, expiry: expiry)
      try finishing { try front.setObject(object, forKey: key, expiry: expiry) }
    }
  }

  /// Stores a changed value in both stores. Each store keeps its expiry: of the back only the expiry is read.
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try order.withTurn(.key(key)) {
      let inBack = try kept(back.expiryIfPresent(forKey: key)) ?? expiry
      try back.replaceObject(object, forKey: key, expiry: inBack)
      try finishing { try front.replaceObject(object, forKey: key, expiry: expiry) }
    }
  }

  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try order.withTurn(TurnScope(objects.keys)) {
      try back.setObjects(objects, expiry: expiry)
      try finishing { try front.setObjects(objects, expiry: expiry) }
    }
  }

  package func setEntries(_ entries: [Key: Entry<Value>]) throws {
    let entries = entries.mapValues { $0.resolved(by: clock) }
    try order.withTurn(TurnScope(entries.keys)) {
      try back.setEntries(entries)
      try finishing { try front.setEntries(entries) }
    }
  }

  package func removeObject(forKey key: Key) throws {
    try order.withTurn(.key(key)) {
      try back.removeObject(forKey: key)
      try finishing { try front.removeObject(forKey: key) }
    }
  }

  package func removeObjects(forKeys keys: [Key]) throws {
    try order.withTurn(TurnScope(keys)) {
      try back.removeObjects(forKeys: keys)
      try finishing { try front.removeObjects(forKeys: keys) }
    }
  }

  package func removeAll() throws {
    try order.withTurn(.everything) {
      try back.removeAll()
      try finishing { try front.removeAll() }
    }
  }

  package func removeExpiredObjects() throws {
    try back.removeExpiredObjects()
    try front.removeExpiredObjects()
  }

  /// Removes a key from the memory tier of the front. The back is never read.
  package func removeInMemoryObject(forKey key: Key) throws {
    try front.removeInMemoryObject(forKey: key)
  }
}
