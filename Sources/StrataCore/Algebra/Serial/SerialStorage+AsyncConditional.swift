// sync: extension SerialStorage: SyncConditionalStorage where Base: SyncStorageAware {
extension SerialStorage: ConditionalStorage {
  /// Stores a value, in its turn, if the key has no value, or an expired one. Returns whether the value was stored.
  ///
  /// The operation is atomic for all operations in this queue. For all others it is atomic if the inner store is a
  /// `ConditionalStorage`.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await line.change { try await base.change(key, .setIfAbsent(object, expiry), []) }
  }

  /// Changes the expiry of a stored value, in its turn. Returns `false` if the key has no value, or an expired one.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await line.change { try await base.change(key, .touch(expiry), []) }
  }
}
