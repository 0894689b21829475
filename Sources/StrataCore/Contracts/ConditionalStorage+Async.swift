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
    try await storeIfAbsent(object, forKey: key, expiry: expiry, by: asyncConditional)
  }

  /// The same for a caller that has looked up the store's conditional writes, `nil` if it has none.
  func storeIfAbsent(
    _ object: Value, forKey key: Key, expiry: Expiry?, by store: (any ConditionalStorage<Key, Value>)?
  ) async throws -> Bool {
    if let store { return try await store.setIfAbsent(object, forKey: key, expiry: expiry) }
    guard try await isExpiredObject(forKey: key) else { return false }
    try await setObject(object, forKey: key, expiry: expiry)
    return true
  }

  /// Performs `touch` for a combinator that excludes other writes of the key in this process. If the store supports
  /// conditional writes, uses them, so that the operation is atomic for other processes too.
  package func changeExpiry(forKey key: Key, to expiry: Expiry) async throws -> Bool {
    try await changeExpiry(forKey: key, to: expiry, by: asyncConditional)
  }

  /// The same for a caller that has looked up the store's conditional writes, `nil` if it has none.
  func changeExpiry(
    forKey key: Key, to expiry: Expiry, by store: (any ConditionalStorage<Key, Value>)?
  ) async throws -> Bool {
    if let store { return try await store.touch(forKey: key, expiry: expiry) }
    guard let entry = try await entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return false
    }
    try await setObject(entry.object, forKey: key, expiry: expiry)
    return true
  }
}
