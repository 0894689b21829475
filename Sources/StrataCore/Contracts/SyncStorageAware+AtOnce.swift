extension SyncStorageAware {
  /// Returns the entry if the store can tell without waiting.
  @inlinable
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try read(key, .atOnce) }
  }

  /// Returns the expiry of the entry if the store can tell without waiting.
  @inlinable
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup { try read(key, [.atOnce, .expiryOnly])?.expiry }
  }

  /// Stores a value if that needs no waiting. Returns `false` if it has changed nothing.
  @inlinable
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    do { return try change(key, .set(object, expiry), .atOnce) } catch is WouldWait { return false }
  }
}
