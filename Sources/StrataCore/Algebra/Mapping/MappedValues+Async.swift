extension MappedValues: StorageAware, StorageLink where Base: StorageAware {
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
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await reading(base.entries(forKeys: keys))
  }

  @inlinable
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await base.setObjects(writing(objects), expiry: expiry)
  }

  @inlinable
  func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await base.setEntries(writing(entries)) }
}
