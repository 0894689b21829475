extension MappedValues where Base: SyncStorageAware {
  @inlinable
  func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try base.cachedEntry(forKey: key).get().map { try reading($0, forKey: key) } }
  }

  @inlinable
  func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setObjectAtOnce(writing(object, forKey: key), forKey: key, expiry: expiry)
  }
}
