extension TypeWrapperStorage: ConditionalStorage where Inner: ConditionalStorage {
  /// Stores a value if none is stored under the key, of whatever type, or only one that has expired. Returns whether it
  /// was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await inner.setIfAbsent(wrap(object), forKey: key, expiry: expiry)
  }

  /// Changes the expiry of a stored value, whatever its type; `false` if nothing is stored, or what has expired.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await inner.touch(forKey: key, expiry: expiry)
  }
}

extension TypeWrapperStorage: SyncConditionalStorage where Inner: SyncConditionalStorage {
  /// Stores a value if none is stored under the key, of whatever type, or only one that has expired. Returns whether it
  /// was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try inner.setIfAbsent(wrap(object), forKey: key, expiry: expiry)
  }

  /// Changes the expiry of a stored value, whatever its type; `false` if nothing is stored, or what has expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try inner.touch(forKey: key, expiry: expiry)
  }
}
