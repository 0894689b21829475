extension MappedValues: StorageAware where Base: StorageAware {
  @inlinable var clock: StorageClock { base.clock }
  @inlinable var mayBlock: Bool { base.mayBlock }
  @inlinable var coordinator: StorageCoordinator<Key>? { base.coordinator }
  @inlinable var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }

  /// Returns `nil` for a value that cannot be mapped: the read that follows throws the error.
  @inlinable
  func peek(forKey key: Key) -> Entry<Value>? {
    guard !decodes, let entry = base.peek(forKey: key) else { return nil }
    do { return try entry.map(mapTo) } catch { return nil }
  }

  @inlinable
  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: key).map { try reading($0, forKey: key) }
  }

  @inlinable
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.setObject(writing(object, forKey: key), forKey: key, expiry: expiry)
  }

  @inlinable
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.replaceObject(writing(object, forKey: key), forKey: key, expiry: expiry)
  }

  @inlinable
  func removeObject(forKey key: Key) async throws { try await base.removeObject(forKey: key) }

  @inlinable
  func removeAll() async throws { try await base.removeAll() }

  @inlinable
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }

  @inlinable
  func keys() async throws -> [Key] { try await base.keys() }

  @inlinable
  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit)
  }

  @inlinable
  func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }

  @inlinable
  func removeInMemoryObject(forKey key: Key) async throws {
    try await base.removeInMemoryObject(forKey: key)
  }

  @inlinable
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await reading(base.entries(forKeys: keys))
  }

  @inlinable
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await base.setObjects(writing(objects), expiry: expiry)
  }

  @inlinable
  func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await base.setEntries(writing(entries)) }

  @inlinable
  func removeObjects(forKeys keys: [Key]) async throws { try await base.removeObjects(forKeys: keys) }
}
