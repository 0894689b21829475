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
  // Not `async`, so that each function serves as the sync and the async variant.
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {}
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {}
  package func removeObject(forKey key: Key) throws {}
  package func removeObjects(forKeys keys: [Key]) throws {}
  package func removeAll() throws {}
  package func removeExpiredObjects() throws {}
}

extension UnwrittenTier where Base: SyncStorageAware {
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> { base.cachedEntry(forKey: key) }
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { base.cachedExpiry(forKey: key) }
}
