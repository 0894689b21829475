// Generated from MappedKeys+Async.swift by `make twins`.
public import StrataCore

extension MappedKeys: SyncStorageAware where Base: SyncStorageAware {
  @inlinable
  func read(_ key: Key, _ how: How) throws -> Entry<Value>? { try base.read(inner(key), how) }

  @inlinable
  func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    var inners = [Key: Base.Key](minimumCapacity: keys.count)
    for key in keys { inners[key] = try inner(key) }
    let entries = try base.read(Array(inners.values), how)
    var found = [Key: Entry<Value>](minimumCapacity: entries.count)
    for (key, inner) in inners { found[key] = entries[inner] }
    return found
  }

  @inlinable
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try base.change(inner(key), change, how)
  }

  @inlinable
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    try base.change(batch.mapKeys { try inner($0) }, how)
  }

  @usableFromInline
  func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.list(after: cursor, limit: limit).replacingKeys { try $0.compactMap { try outer($0) } }
  }

  /// Removes entries whose keys can be mapped, and no others. Expired entries are not listed: they are swept.
  @inlinable
  func clear(_ extent: StoreExtent) throws {
    if extent == .everything {
      try base.forEachKeyPage { keys in
        try base.change(.remove(keys.filter { try outer($0) != nil }), [])
      }
    }
    try base.clear(.expired)
  }
}

extension MappedKeys: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try base.update(forKey: inner(key), modify)
  }
}
