public import StrataCore

// sync: extension MappedKeys: SyncStorageAware where Base: SyncStorageAware {
extension MappedKeys {
  @inlinable
  func read(_ key: Key, _ how: How) async throws -> Entry<Value>? { try await base.read(inner(key), how) }

  @inlinable
  func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    var inners = [Key: Base.Key](minimumCapacity: keys.count)
    for key in keys { inners[key] = try inner(key) }
    let entries = try await base.read(Array(inners.values), how)
    var found = [Key: Entry<Value>](minimumCapacity: entries.count)
    for (key, inner) in inners { found[key] = entries[inner] }
    return found
  }

  @inlinable
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try await base.change(inner(key), change, how)
  }

  @inlinable
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try await base.change(batch.mapKeys { try inner($0) }, how)
  }

  @usableFromInline
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.list(after: cursor, limit: limit).replacingKeys { try $0.compactMap { try outer($0) } }
  }

  /// Removes entries whose keys can be mapped, and no others. Expired entries are not listed: they are swept.
  @inlinable
  func clear(_ extent: StoreExtent) async throws {
    if extent == .everything {
      // sync: try base.forEachKeyPage { keys in
      for try await keys in base.keyPages() {
        try await base.change(.remove(keys.filter { try outer($0) != nil }), [])
      }
    }
    try await base.clear(.expired)
  }
}

extension MappedKeys: UpdateableStorage where Base: UpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await base.update(forKey: inner(key), modify)
  }
}
