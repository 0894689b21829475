extension ConditionalStorage {
  /// Stores a value with the store's default expiry if the key has no value, or an expired one. Returns whether the
  /// value was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key) async throws -> Bool {
    try await setIfAbsent(object, forKey: key, expiry: nil)
  }
}

extension StorageAware {
  /// Performs `setIfAbsent` for a combinator that excludes other writes of the key in this process. If the store
  /// supports conditional writes, uses them, so that the operation is atomic for other processes too.
  package func storeIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    if let store = self as? any ConditionalStorage<Key, Value> {
      return try await store.setIfAbsent(object, forKey: key, expiry: expiry)
    }
    guard try await isExpiredObject(forKey: key) else { return false }
    try await setObject(object, forKey: key, expiry: expiry)
    return true
  }

  /// Performs `touch` for a combinator that excludes other writes of the key in this process. If the store supports
  /// conditional writes, uses them, so that the operation is atomic for other processes too.
  package func changeExpiry(forKey key: Key, to expiry: Expiry) async throws -> Bool {
    if let store = self as? any ConditionalStorage<Key, Value> {
      return try await store.touch(forKey: key, expiry: expiry)
    }
    guard let entry = try await entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return false
    }
    try await setObject(entry.object, forKey: key, expiry: expiry)
    return true
  }
}
