/// A store that implements the narrow operations: `read`, `change`, `list` and `clear`. All others use them.
@usableFromInline
package protocol NarrowStorage: StorageAware {}

/// A narrow store whose functions never suspend.
@usableFromInline
package protocol SyncNarrowStorage: NarrowStorage, SyncStorageAware {}

extension SyncNarrowStorage {
  @inlinable
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try read(key, .atOnce) }
  }

  @inlinable
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup { try read(key, [.atOnce, .expiryOnly])?.expiry }
  }

  @inlinable
  package func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    do { return try change(key, .set(object, expiry), .atOnce) } catch is WouldWait { return false }
  }
}
