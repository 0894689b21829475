public import StrataCore

extension Storage: SyncConditionalStorage {
  /// Stores a value if none is stored under the key, of whatever type, or only one that has expired. Returns whether it
  /// was stored.
  ///
  /// Atomic for all over the same store in this process. If the last tier is a `ConditionalStorage`, also for all other
  /// processes that write to it. Without an expiry those of the tiers' configurations apply.
  ///
  /// ```swift
  /// if try users.setIfAbsent(ada, forKey: "ada", expiry: .seconds(60)) { print("new") }
  /// ```
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try ordered.setIfAbsent(object, forKey: key, expiry: expiry)
  }

  /// Changes the expiry of a stored value, and leaves the value as it is; `false` if nothing is stored, or what has
  /// expired.
  ///
  /// Atomic as `setIfAbsent` is. The value is not decoded, and observers have nothing to hear.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try ordered.touch(forKey: key, expiry: expiry)
  }
}

/// With `await`, these do not block either.
extension Storage {
  /// Stores a value if none is stored under the key, of whatever type, or only one that has expired. Returns whether it
  /// was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await async.setIfAbsent(object, forKey: key, expiry: expiry)
  }

  /// The same with the expiry of the tiers' configurations.
  public func setIfAbsent(_ object: Value, forKey key: Key) async throws -> Bool {
    try await async.setIfAbsent(object, forKey: key, expiry: nil)
  }

  /// Changes the expiry of a stored value, and leaves the value as it is; `false` if nothing is stored, or what has
  /// expired.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await async.touch(forKey: key, expiry: expiry)
  }
}

extension AsyncStorage: ConditionalStorage {
  /// Stores a value if none is stored under the key, of whatever type, or only one that has expired. Returns whether it
  /// was stored.
  ///
  /// Atomic for all over the same store in this process. If the last tier is a `ConditionalStorage`, also for all other
  /// processes and machines that write to it. Without an expiry those of the tiers apply.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await run(.setIfAbsent(object, key, expiry))
  }

  /// Changes the expiry of a stored value, and leaves the value as it is; `false` if nothing is stored, or what has
  /// expired.
  ///
  /// Atomic as `setIfAbsent` is. The value is not decoded, and observers have nothing to hear.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await run(.touch(key, expiry))
  }
}
