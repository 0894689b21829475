extension CacheStrategyStorage {
  /// Sets the cached value's expiry to the store's. A value that the store does not have is removed from the cache.
  func settle(_ key: Key, _ expiry: Expiry, isStored: Bool) throws {
    try overtake(.key(key)) {
      if isStored {
        _ = try cache.changeExpiry(forKey: key, to: expiry)
      } else {
        try cache.removeObject(forKey: key)
      }
    }
  }
}
