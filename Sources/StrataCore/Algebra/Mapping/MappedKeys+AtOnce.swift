extension MappedKeys where Base: SyncStorageAware {
  @inlinable
  func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try base.cachedEntry(forKey: inner(key)).get() }
  }

  @inlinable
  func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup { try base.cachedExpiry(forKey: inner(key)).get() }
  }

  @inlinable
  func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setObjectAtOnce(object, forKey: inner(key), expiry: expiry)
  }
}
