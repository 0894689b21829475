/// A store that implements the narrow operations: `read`, `change`, `list` and `clear`. All others use them.
public protocol NarrowStorage<Key, Value>: StorageAware {}

/// A narrow store whose functions never suspend.
public protocol SyncNarrowStorage<Key, Value>: NarrowStorage, SyncStorageAware {}

extension SyncNarrowStorage {
  @inlinable
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try read(key, .atOnce) }
  }

  @inlinable
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup { try read(key, [.atOnce, .expiryOnly])?.expiry }
  }

  @inlinable
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    do { return try change(key, .set(object, expiry), .atOnce) } catch is WouldWait { return false }
  }
}
