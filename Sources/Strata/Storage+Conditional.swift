public import StrataCore

extension Storage: SyncConditionalStorage {
  /// Stores a value if the key has none, of any type, or only an expired one. Returns whether it was stored.
  ///
  /// Atomic among all views of the store in this process. If the last tier is a `ConditionalStorage`, also among all
  /// processes that write to it. Without an expiry, each tier applies its own.
  ///
  /// ```swift
  /// if try users.setIfAbsent(ada, forKey: "ada", expiry: .seconds(60)) { print("new") }
  /// ```
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try ordered.setIfAbsent(object, forKey: key, expiry: expiry)
  }

  /// Changes the expiry of a stored value. Returns `false` if the value is absent or has expired.
  ///
  /// Atomic like `setIfAbsent`. The value is not decoded, and observers are not called.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try ordered.touch(forKey: key, expiry: expiry)
  }
}

/// The conditional writes for calls with `await`, which do not block.
extension Storage {
  /// Stores a value if the key has none, of any type, or only an expired one. Returns whether it was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await async.setIfAbsent(object, forKey: key, expiry: expiry)
  }

  /// Stores a value if the key has none, or only an expired one. Each tier applies its own expiry.
  public func setIfAbsent(_ object: Value, forKey key: Key) async throws -> Bool {
    try await async.setIfAbsent(object, forKey: key, expiry: nil)
  }

  /// Changes the expiry of a stored value. Returns `false` if the value is absent or has expired.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await async.touch(forKey: key, expiry: expiry)
  }
}

extension AsyncStorage: ConditionalStorage {
  /// Stores a value if the key has none, of any type, or only an expired one. Returns whether it was stored.
  ///
  /// Atomic among all views of the store in this process. If the last tier is a `ConditionalStorage`, also among all
  /// processes and machines that write to it. Without an expiry, each tier applies its own.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await run(.setIfAbsent(object, key, expiry))
  }

  /// Changes the expiry of a stored value. Returns `false` if the value is absent or has expired.
  ///
  /// Atomic like `setIfAbsent`. The value is not decoded, and observers are not called.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await run(.touch(key, expiry))
  }
}
