// Generated from ConditionalStorage+Async.swift by `make twins`.
extension SyncConditionalStorage {
  /// Stores a value with the store's default expiry if the key has no value, or an expired one. Returns whether the
  /// value was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key) throws -> Bool {
    try setIfAbsent(object, forKey: key, expiry: nil)
  }
}

extension SyncStorageAware {
  /// Performs `setIfAbsent` for a combinator that excludes other writes of the key in this process. If the store
  /// supports conditional writes, uses them, so that the operation is atomic for other processes too.
  package func storeIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try storeIfAbsent(object, forKey: key, expiry: expiry, by: syncConditional)
  }

  /// The same for a caller that has looked up the store's conditional writes, `nil` if it has none.
  func storeIfAbsent(
    _ object: Value, forKey key: Key, expiry: Expiry?, by store: (any SyncConditionalStorage<Key, Value>)?
  ) throws -> Bool {
    if let store { return try store.setIfAbsent(object, forKey: key, expiry: expiry) }
    guard try isExpiredObject(forKey: key) else { return false }
    try setObject(object, forKey: key, expiry: expiry)
    return true
  }

  /// Performs `touch` for a combinator that excludes other writes of the key in this process. If the store supports
  /// conditional writes, uses them, so that the operation is atomic for other processes too.
  package func changeExpiry(forKey key: Key, to expiry: Expiry) throws -> Bool {
    try changeExpiry(forKey: key, to: expiry, by: syncConditional)
  }

  /// The same for a caller that has looked up the store's conditional writes, `nil` if it has none.
  func changeExpiry(
    forKey key: Key, to expiry: Expiry, by store: (any SyncConditionalStorage<Key, Value>)?
  ) throws -> Bool {
    if let store { return try store.touch(forKey: key, expiry: expiry) }
    guard let entry = try entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return false
    }
    try setObject(entry.object, forKey: key, expiry: expiry)
    return true
  }
}
