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
}
