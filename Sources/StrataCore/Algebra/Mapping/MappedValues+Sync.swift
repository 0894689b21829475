// Generated from MappedValues+Async.swift by `make twins`.
extension MappedValues: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
  @inlinable
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: key).map { try reading($0, forKey: key) }
  }

  @inlinable
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(writing(object, forKey: key), forKey: key, expiry: expiry)
  }

  @inlinable
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.replaceObject(writing(object, forKey: key), forKey: key, expiry: expiry)
  }

  @inlinable
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try reading(base.entries(forKeys: keys))
  }

  @inlinable
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try base.setObjects(writing(objects), expiry: expiry)
  }

  @inlinable
  func setEntries(_ entries: [Key: Entry<Value>]) throws { try base.setEntries(writing(entries)) }
}
