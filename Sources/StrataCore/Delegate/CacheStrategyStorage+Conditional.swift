extension CacheStrategyStorage {
  /// Sets the cached value's expiry to the store's. A value that the store does not have is removed from the cache.
  func settle(_ key: Key, _ expiry: Expiry, isStored: Bool) throws {
    try overtake(.key(key)) {
      if isStored {
        _ = try cache.change(key, .touch(expiry), [])
      } else {
        try cache.removeObject(forKey: key)
      }
    }
  }

  /// Sets the cached value's expiry to the earlier one, after a call that may or may not have changed the store's.
  func shorten(_ key: Key, _ expiry: Expiry) throws {
    try overtake(.key(key)) {
      guard let cached = try cache.expiryIfPresent(forKey: key) else { return }
      _ = try cache.change(key, .touch(.earlier(cached, expiry)), [])
    }
  }
}
