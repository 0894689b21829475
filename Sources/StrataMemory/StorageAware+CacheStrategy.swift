public import StrataCore

extension StorageAware {
  /// This store with a memory in front that is used by one of the three strategies.
  ///
  /// The rules are those of `StorageDelegate`, key by key. The memory is this link's own, within the limits given.
  ///
  /// ```swift
  /// let resilient = AsyncStorage(chain).cacheStrategy(.cacheOnFailure, memory: MemoryConfig(countLimit: 1000))
  /// ```
  public func cacheStrategy(
    _ strategy: CacheStrategy, memory: MemoryConfig = .init()
  ) -> some StorageAware<Key, Value> {
    CacheStrategyStorage(
      self, cache: MemoryStorage<Key, Value>(config: memory), strategy: strategy, cacheExpiry: memory.expiry)
  }
}

extension SyncStorageAware {
  /// This store with a memory in front that is used by one of the three strategies, for use without `await`.
  public func cacheStrategy(
    _ strategy: CacheStrategy, memory: MemoryConfig = .init()
  ) -> some SyncStorageAware<Key, Value> {
    CacheStrategyStorage(
      self, cache: MemoryStorage<Key, Value>(config: memory), strategy: strategy, cacheExpiry: memory.expiry)
  }
}
