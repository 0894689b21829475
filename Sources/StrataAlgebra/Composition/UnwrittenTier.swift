package import StrataCore

/// A keyed store that is only read, as a tier of `CombinedStorage`. Writes do nothing.
package struct UnwrittenTier<Base: StorageAware>: StorageLink {
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  package let base: Base

  package var traits: StoreTraits {
    var traits = StoreTraits(showing: shown(base))
    traits.isUnwritten = true
    return traits
  }
  package var wrappedStorages: [any StorageDesign] { [base] }
  package var coordinator: StorageCoordinator<Key>? { nil }
  package var invalidationSource: InvalidationSource<Key>? { nil }

  package func peek(forKey key: Key) -> Entry<Value>? { nil }

  // Not `async`, so that each function serves as the sync and the async variant.
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool { true }
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {}
  package func clear(_ extent: StoreExtent) throws {}
}

extension UnwrittenTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {}
