extension HybridStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the result of a read if neither tier has to wait for it. Copies an entry to the front as a read does.
  @inlinable
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<TypeWrapper>> {
    tiers.cachedEntry(forKey: key)
  }

  /// Returns the expiry of the entry that a read would return, if neither tier has to wait for it.
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { tiers.cachedExpiry(forKey: key) }

  /// Stores a value in the back, then in the front, if neither tier has to wait. If not, the wrapper keeps the encoded
  /// bytes.
  @inlinable
  public func setObjectAtOnce(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try encode(object, forKey: key)
    guard try tiers.setObjectAtOnce(object, forKey: key, expiry: expiry) else { return false }
    object.forgetBytes()
    return true
  }
}
