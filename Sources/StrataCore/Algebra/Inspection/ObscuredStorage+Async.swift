extension ObscuredStorage: StorageAware where Base: StorageAware {
  var clock: StorageClock { base.clock }
  var mayBlock: Bool { base.mayBlock }
  var coordinator: StorageCoordinator<Key>? { base.coordinator }
  var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }
  func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.replaceObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: Key) async throws { try await base.removeObject(forKey: key) }
  func removeAll() async throws { try await base.removeAll() }
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  func keys() async throws -> [Key] { try await base.keys() }

  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit)
  }
  func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }
  func removeInMemoryObject(forKey key: Key) async throws { try await base.removeInMemoryObject(forKey: key) }
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await base.entries(forKeys: keys)
  }
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await base.setObjects(objects, expiry: expiry)
  }
  func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await base.setEntries(entries) }
  func removeObjects(forKeys keys: [Key]) async throws { try await base.removeObjects(forKeys: keys) }
}
