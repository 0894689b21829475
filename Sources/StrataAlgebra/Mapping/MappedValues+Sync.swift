// Generated from MappedValues+Async.swift by `make twins`.
public import StrataCore

extension MappedValues: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
  @inlinable
  func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if decodes, how.contains(.quietly) { return nil }
    return try base.read(key, how).map { try reading($0, forKey: key) }
  }

  @inlinable
  func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if decodes, how.contains(.quietly) { return [:] }
    return try reading(base.read(keys, how))
  }

  @inlinable
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try base.change(key, change.map { try mapped($0, forKey: key, by: mapFrom) }, how)
  }

  @inlinable
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    try base.change(batch.map { key, object in try mapped(object, forKey: key, by: mapFrom) }, how)
  }
}

extension MappedValues: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    var changed: Value?
    let stored = try base.update(forKey: key) { changed = try modified(&$0, forKey: key, by: modify) }
    return try changed ?? mapped(stored, forKey: key, by: mapTo)
  }
}
