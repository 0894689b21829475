// Generated from Conditions+Async.swift by `make twins`.
extension SyncConditionalStorage {
  /// Stores a value with the store's default expiry if the key has no value, or an expired one. Returns whether the
  /// value was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key) throws -> Bool {
    try setIfAbsent(object, forKey: key, expiry: nil)
  }

  /// Changes one key, and returns whether it was changed.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    switch change.kind {
    case .setIfAbsent(let expiry) where !how.contains(.atOnce):
      return try setIfAbsent(change.object, forKey: key, expiry: expiry)
    case .touch(let expiry) where !how.contains(.atOnce):
      return try touch(forKey: key, expiry: expiry)
    default: return try changeAnyhow(key, change, how)
    }
  }
}

extension SyncStorageAware {
  /// Returns the change of a key that a conditional change amounts to now, or `nil` if its condition does not hold.
  ///
  /// For a store that cannot ask and change in one step, but excludes other changes of the key.
  package func unconditional(
    _ change: StoreChange<Value>, forKey key: Key
  ) throws -> StoreChange<Value>? {
    switch change.kind {
    case .setIfAbsent(let expiry):
      return try isExpiredObject(forKey: key) ? .set(change.object, expiry) : nil
    case .touch(let expiry):
      guard let entry = try read(key, []), !entry.expiry.isExpired(by: clock) else { return nil }
      return .set(entry.object, expiry)
    case .set, .replace, .remove, .forget: return change
    }
  }

  /// Returns a change of a key that, if it replaces a value, keeps the expiry that the value has in this store.
  package func keepingExpiry(
    _ change: StoreChange<Value>, forKey key: Key
  ) throws -> StoreChange<Value> {
    guard case .replace(let expiry) = change.kind else { return change }
    return .replace(change.object, try kept(read(key, .expiryOnly)?.expiry) ?? expiry)
  }
}
