extension CacheStrategyStorage where Base: SyncStorageAware {
  /// Returns the entry of the cache, or else the store's cached entry. With `cacheOnFailure` returns `.unknown`, since
  /// every result of the store must reach the cache.
  @usableFromInline
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    switch strategy {
    case .noCache: return base.cachedEntry(forKey: key)
    case .cache:
      return CacheLookup {
        let cached = try cache.cachedEntry(forKey: key).get()
        if isLive(cached) { return cached }
        return try base.cachedEntry(forKey: key).get() ?? cached
      }
    case .cacheOnFailure: return .unknown
    }
  }

  @usableFromInline
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    switch strategy {
    case .noCache: return base.cachedExpiry(forKey: key)
    case .cache:
      return CacheLookup {
        let cached = try cache.cachedExpiry(forKey: key).get()
        if isLive(cached) { return cached }
        return try base.cachedExpiry(forKey: key).get() ?? cached
      }
    // The expiry comes from the store only, and is cached unless the store fails.
    case .cacheOnFailure: return base.cachedExpiry(forKey: key)
    }
  }
}
