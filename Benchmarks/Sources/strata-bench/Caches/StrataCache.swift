import Strata

/// `MemoryStorage`, used by a program that must check whether a key is present.
struct StrataCache<Key: Hashable & Sendable, Value: Weighable>: Cache {
  private let memory: MemoryStorage<Key, Value>

  init(capacity: Int = 0) {
    memory = MemoryStorage(config: MemoryConfig(countLimit: UInt(capacity)))
  }

  func value(forKey key: Key) throws -> Value? { try memory.objectIfPresent(forKey: key) }
  func store(_ value: Value, forKey key: Key) throws { try memory.setObject(value, forKey: key) }
}

/// Any synchronous store of Strata, used by a program that only requests present keys.
struct SyncStore<Store: SyncStorageAware>: Cache where Store.Value: Weighable {
  let store: Store

  func value(forKey key: Store.Key) throws -> Store.Value? { try store.object(forKey: key) }
  func store(_ value: Store.Value, forKey key: Store.Key) throws { try store.setObject(value, forKey: key) }
}

/// Any store of Strata, awaited.
struct AsyncStore<Store: StorageAware>: AsyncCache where Store.Value: Weighable {
  let store: Store

  func value(forKey key: Store.Key) async throws -> Store.Value? { try await store.object(forKey: key) }
  func store(_ value: Store.Value, forKey key: Store.Key) async throws {
    try await store.setObject(value, forKey: key)
  }
}
