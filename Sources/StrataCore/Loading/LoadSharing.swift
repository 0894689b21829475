/// A store with an `object(forKey:expiry:orLoad:)` of its own, which shares loads among all its callers. Code for
/// stores of any type calls it through this protocol.
package protocol LoadSharing<Key, Value>: StorageAware {
  /// Returns the value; if it is absent or has expired, loads and stores it.
  func object(forKey key: Key, expiry: Expiry?, orLoad load: () async throws -> Value) async throws -> Value
}

/// A `LoadSharing` store that can be used without `await`.
package protocol SyncLoadSharing<Key, Value>: LoadSharing, SyncStorageAware {
  /// Returns the value; if it is absent or has expired, loads and stores it.
  func object(forKey key: Key, expiry: Expiry?, orLoad load: () throws -> Value) throws -> Value
}
