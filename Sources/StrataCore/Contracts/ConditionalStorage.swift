/// A store that decides and writes in one step: no other writer comes between the two.
///
/// The step is atomic among all that write to the store, other processes and machines included, where the store is
/// shared by them.
public protocol ConditionalStorage<Key, Value>: StorageAware {
  /// Stores a value if none is stored under the key, or only one that has expired.
  ///
  /// Without an expiry the store's own applies. Returns whether the value was stored.
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool

  /// Changes the expiry of a stored value, and leaves the value as it is.
  ///
  /// Returns `false`, and changes nothing, if nothing is stored or the value has expired.
  func touch(forKey key: Key, expiry: Expiry) async throws -> Bool
}

/// A `ConditionalStorage` that can be used without `await`.
public protocol SyncConditionalStorage<Key, Value>: SyncStorageAware, ConditionalStorage {
  /// Stores a value if none is stored under the key, or only one that has expired. Returns whether it was stored.
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool

  /// Changes the expiry of a stored value, and leaves the value as it is. Returns `false` if nothing is stored.
  func touch(forKey key: Key, expiry: Expiry) throws -> Bool
}

/// A store that counts: it adds to an integer in one step.
public protocol CountingStorage<Key, Value>: StorageAware {
  /// Adds to the integer stored under a key, and returns the sum. An absent key counts as 0, and its expiry stays.
  func increment(forKey key: Key, by amount: Int) async throws -> Int
}
