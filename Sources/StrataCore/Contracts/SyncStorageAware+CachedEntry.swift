extension SyncStorageAware {
  /// Reads the entry if the store never blocks. Any other store returns the result of `peek` if it has not expired.
  @inlinable
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    if !mayBlock { return CacheLookup { try entryIfPresent(forKey: key) } }
    guard let entry = peek(forKey: key), !entry.expiry.isExpired(by: clock) else { return .unknown }
    return .found(entry)
  }

  /// Returns the expiry if it is available without waiting.
  @inlinable
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    mayBlock ? cachedEntry(forKey: key).map(\.expiry) : CacheLookup { try expiryIfPresent(forKey: key) }
  }

  /// Stores the value if the store never blocks. Any other store returns `false`.
  @inlinable
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    if mayBlock { return false }
    try setObject(object, forKey: key, expiry: expiry)
    return true
  }
}
