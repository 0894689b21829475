extension ByteTier where Base: SyncStorageAware {
  @inlinable
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<TypeWrapper>> {
    base.cachedEntry(forKey: key).map { $0.map { TypeWrapper(data: $0) } }
  }

  @inlinable
  package func setObjectAtOnce(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setObjectAtOnce(object.data(), forKey: key, expiry: expiry)
  }
}
