extension ConditionalStorage {
  /// Stores a value if the key has no value, or an expired one. Returns whether the value was stored.
  @inlinable
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await change(key, .setIfAbsent(object, expiry), [])
  }

  /// Stores a value with the store's default expiry if the key has no value, or an expired one. Returns whether the
  /// value was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key) async throws -> Bool {
    try await setIfAbsent(object, forKey: key, expiry: nil)
  }

  /// Changes the expiry of a stored value. Returns `false` if the key has no value, or an expired one.
  @inlinable
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await change(key, .touch(expiry), [])
  }
}

extension StorageAware {
  /// Returns the change of a key that a conditional change amounts to now, or `nil` if its condition does not hold.
  ///
  /// For a store that cannot ask and change in one step, but excludes other changes of the key.
  @usableFromInline
  package func unconditional(
    _ change: StoreChange<Value>, forKey key: Key
  ) async throws -> StoreChange<Value>? {
    switch change.kind {
    case .setIfAbsent(let expiry):
      return try await isExpiredObject(forKey: key) ? .set(change.object, expiry) : nil
    case .touch(let expiry):
      guard let object = try await read(key, []).liveObject(by: clock) else { return nil }
      return .set(object, expiry)
    case .set, .replace, .remove, .forget: return change
    }
  }

  /// Returns a change of a key that, if it replaces a value, keeps the expiry that the value has in this store.
  package func keepingExpiry(
    _ change: StoreChange<Value>, forKey key: Key
  ) async throws -> StoreChange<Value> {
    guard case .replace(let expiry) = change.kind else { return change }
    return .replace(change.object, try await kept(read(key, .expiryOnly)?.expiry) ?? expiry)
  }
}
