extension HybridStorage: ConditionalStorage where Back: ConditionalStorage {
  /// Stores a value if the back holds none under the key, or only one that has expired; then in the front too. Returns
  /// whether it was stored.
  public func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try encode(object, forKey: key)
    let isStored = try await tiers.setIfAbsent(object, forKey: key, expiry: expiry)
    object.forgetBytes()
    return isStored
  }

  /// Changes the expiry of a value in both tiers; `false` if the back holds none, or only one that has expired.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await tiers.touch(forKey: key, expiry: expiry)
  }
}

extension HybridStorage: SyncConditionalStorage where Front: SyncStorageAware, Back: SyncConditionalStorage {
  /// Stores a value if the back holds none under the key, or only one that has expired; then in the front too. Returns
  /// whether it was stored.
  public func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try encode(object, forKey: key)
    let isStored = try tiers.setIfAbsent(object, forKey: key, expiry: expiry)
    object.forgetBytes()
    return isStored
  }

  /// Changes the expiry of a value in both tiers; `false` if the back holds none, or only one that has expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try tiers.touch(forKey: key, expiry: expiry)
  }
}
