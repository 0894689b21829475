/// The back of another store that is only read. The front is authoritative.
protocol UnwrittenBack {}

/// A keyed store that is only read, as a tier of `CombinedStorage`. Writes do nothing.
package struct UnwrittenTier<Base: StorageAware>: StorageLink, TransparentStorage, UnwrittenBack {
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  package let base: Base

  package var visible: any StorageDesign { shown(base) }
  package var wrappedStorages: [any StorageDesign] { [base] }
  package var coordinator: StorageCoordinator<Key>? { nil }
  package var invalidationSource: InvalidationSource<Key>? { nil }

  package func peek(forKey key: Key) -> Entry<Value>? { nil }

  // Not `async`, so that each function serves as the sync and the async variant.
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool { true }
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {}
  package func clear(_ extent: StoreExtent) throws {}
}

extension UnwrittenTier: SyncStorageAware, SyncNarrowStorage, SyncStorageLink where Base: SyncStorageAware {}
