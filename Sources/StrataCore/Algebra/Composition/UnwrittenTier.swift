/// The back of another store that is only read. The front is authoritative.
protocol UnwrittenBack {}

/// A keyed store that is only read, as a tier of `CombinedStorage`. Writes do nothing.
package struct UnwrittenTier<Base: StorageAware>: StorageAware, TransparentStorage,
  UnwrittenBack
{
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  let base: Base

  package var visible: any StorageDesign { base }
  package var wrappedStorages: [any StorageDesign] { [base] }
  package var clock: StorageClock { base.clock }
  package var mayBlock: Bool { base.mayBlock }
  package var coordinator: StorageCoordinator<Key>? { nil }
}

extension UnwrittenTier {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: key)
  }
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await base.entries(forKeys: keys)
  }
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }
  package func keys() async throws -> [Key] { try await base.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit)
  }

  // Not `async`, so that each function serves as the sync and the async variant.
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {}
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {}
  package func removeObject(forKey key: Key) throws {}
  package func removeObjects(forKeys keys: [Key]) throws {}
  package func removeAll() throws {}
  package func removeExpiredObjects() throws {}
}

extension UnwrittenTier: SyncStorageAware where Base: SyncStorageAware {
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> { base.cachedEntry(forKey: key) }
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { base.cachedExpiry(forKey: key) }
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: key)
  }
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try base.entries(forKeys: keys)
  }
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? { try base.expiryIfPresent(forKey: key) }
  package func keys() throws -> [Key] { try base.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.keyPage(after: cursor, limit: limit)
  }
}
