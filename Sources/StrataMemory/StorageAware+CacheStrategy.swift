public import StrataDelegate

extension StorageAware {
  /// Returns this store with a memory cache in front that follows one of the three strategies.
  ///
  /// The strategies work as in `StorageDelegate`, but per key. The memory belongs to this combinator alone and has the
  /// limits of `memory`. `cost` returns what a value counts against `memory.totalCostLimit`; without it, `Data` costs
  /// its bytes, and any other value 1.
  ///
  /// ```swift
  /// let resilient = AsyncStorage(chain).cacheStrategy(.cacheOnFailure, memory: MemoryConfig(countLimit: 1000))
  /// ```
  @inlinable
  public func cacheStrategy(
    _ strategy: CacheStrategy, memory: MemoryConfig = .init(), cost: (@Sendable (Key, Value) -> Int)? = nil
  ) -> some StorageAware<Key, Value> {
    CacheStrategyStorage(self, strategy, memory, cost)
  }
}

extension SyncStorageAware {
  /// Returns this store with a memory cache in front that follows one of the three strategies, for use without `await`.
  ///
  /// `cost` returns what a value counts against `memory.totalCostLimit`; without it, `Data` costs its bytes, and any
  /// other value 1.
  @inlinable
  public func cacheStrategy(
    _ strategy: CacheStrategy, memory: MemoryConfig = .init(), cost: (@Sendable (Key, Value) -> Int)? = nil
  ) -> some SyncStorageAware<Key, Value> {
    CacheStrategyStorage(self, strategy, memory, cost)
  }
}

extension CacheStrategyStorage where Cache == MemoryStorage<Base.Key, Base.Value> {
  @inlinable
  init(
    _ base: Base, _ strategy: CacheStrategy, _ memory: MemoryConfig, _ cost: (@Sendable (Key, Value) -> Int)?
  ) {
    let leaving = LeavingValues<Value>()
    let cache = Cache(config: memory, cost: cost) { leaving.add($0.value) }
    self.init(base, cache: cache, strategy: strategy, cacheExpiry: memory.expiry, leaving: leaving)
  }
}
