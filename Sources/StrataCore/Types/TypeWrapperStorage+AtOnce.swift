extension TypeWrapperStorage where Inner: SyncStorageAware {
  /// Returns the inner chain's cached entry, decoded. If it cannot be decoded, the result is `.unknown`: a read throws
  /// the error.
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try inner.cachedEntry(forKey: key).get().map { try unwrap($0, forKey: key) } }
  }

  /// Returns the expiry of the inner chain's cached entry without decoding it.
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { inner.cachedExpiry(forKey: key) }

  /// Stores a value if the inner chain need not wait.
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try inner.setObjectAtOnce(wrap(object), forKey: key, expiry: expiry)
  }
}
