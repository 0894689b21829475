extension SyncStorageAware {
  /// A read, in a store that never waits; in any other what it shows to a `peek`, if that has not expired.
  @inlinable
  public func entryAtHand(forKey key: Key) -> AtHand<Entry<Value>> {
    if !mayBlock { return AtHand { try entryIfPresent(forKey: key) } }
    guard let entry = peek(forKey: key), !entry.expiry.isExpired(by: clock) else { return .unknown }
    return .found(entry)
  }

  /// The expiry of what is at hand.
  @inlinable
  public func expiryAtHand(forKey key: Key) -> AtHand<Expiry> {
    mayBlock ? entryAtHand(forKey: key).map(\.expiry) : AtHand { try expiryIfPresent(forKey: key) }
  }

  /// A write, in a store that never blocks; any other stores nothing and returns `false`.
  @inlinable
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    if mayBlock { return false }
    try setObject(object, forKey: key, expiry: expiry)
    return true
  }
}
