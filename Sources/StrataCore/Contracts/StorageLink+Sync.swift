// Generated from StorageLink+Async.swift by `make twins`.
extension SyncStorageLink {
  @inlinable
  package func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.list(after: cursor, limit: limit)
  }

  @inlinable
  package func clear(_ extent: StoreExtent) throws { try base.clear(extent) }
}

extension SyncStorageLink where Value == Base.Value {
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? { try base.read(key, how) }

  @inlinable
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    try base.read(keys, how)
  }

  @inlinable
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try base.change(key, change, how)
  }

  @inlinable
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    try base.change(batch, how)
  }
}
