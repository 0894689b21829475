// Generated from HybridStorage+AsyncConditional.swift by `make twins`.
extension HybridStorage: SyncConditionalStorage where Front: SyncStorageAware, Back: SyncConditionalStorage {
  /// Stores a value if the back has no value of the key, or an expired one; then stores it in the front too. Returns
  /// whether the value was stored.
  public func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try encode(object, forKey: key)
    let isStored = try tiers.setIfAbsent(object, forKey: key, expiry: expiry)
    object.forgetBytes()
    return isStored
  }

  /// Changes the expiry of a value in both tiers. Returns `false` if the back has no value, or an expired one.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try tiers.touch(forKey: key, expiry: expiry)
  }
}
