extension StorageLink {
  @inlinable
  package func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.list(after: cursor, limit: limit)
  }

  @inlinable
  package func clear(_ extent: StoreExtent) async throws { try await base.clear(extent) }
}

extension StorageLink where Value == Base.Value {
  @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<Value>? { try await base.read(key, how) }

  @inlinable
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try await base.read(keys, how)
  }

  @inlinable
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try await base.change(key, change, how)
  }

  @inlinable
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try await base.change(batch, how)
  }
}
