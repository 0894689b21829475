public import StrataCore

// sync: extension MappedValues: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
extension MappedValues {
  @inlinable
  func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if decodes, how.contains(.quietly) { return nil }
    return try await base.read(key, how).map { try reading($0, forKey: key) }
  }

  @inlinable
  func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if decodes, how.contains(.quietly) { return [:] }
    return try await reading(base.read(keys, how))
  }

  @inlinable
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try await base.change(key, change.map { try mapped($0, forKey: key, by: mapFrom) }, how)
  }

  @inlinable
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try await base.change(batch.map { key, object in try mapped(object, forKey: key, by: mapFrom) }, how)
  }
}

extension MappedValues: UpdateableStorage where Base: UpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    var changed: Value?
    let stored = try await base.update(forKey: key) { changed = try modified(&$0, forKey: key, by: modify) }
    return try changed ?? mapped(stored, forKey: key, by: mapTo)
  }
}
