extension TypeWrapperStorage: ConditionalStorage where Inner: ConditionalStorage {
  /// Stores a value if the key has no value of any type, or an expired one. Returns whether the value was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await inner.setIfAbsent(wrap(object), forKey: key, expiry: expiry)
  }

  /// Changes the expiry of a value, whatever its type. Returns `false` if the key has no value, or an expired one.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await inner.touch(forKey: key, expiry: expiry)
  }
}
