/// A store with atomic conditional writes: no other write happens between the check and the write.
///
/// ```swift
/// let sessions = users.async
/// let isNew = try await sessions.setIfAbsent(ada, forKey: "ada", expiry: .seconds(60))
/// if !isNew { _ = try await sessions.touch(forKey: "ada", expiry: .seconds(60)) }
/// ```
///
/// The operation is atomic for all writers of the store, including other processes and machines that share it.
public protocol ConditionalStorage<Key, Value>: StorageAware {
  /// Stores a value if the key has no value, or an expired one.
  ///
  /// If `expiry` is `nil`, the store's default applies. Returns whether the value was stored.
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool

  /// Changes the expiry of a stored value without changing the value.
  ///
  /// Returns `false` and changes nothing if the key has no value, or an expired one.
  func touch(forKey key: Key, expiry: Expiry) async throws -> Bool
}

/// A `ConditionalStorage` that can be used without `await`.
///
/// ```swift
/// // Of all processes that share the disk, one runs the job.
/// if try disk.setIfAbsent(Data(), forKey: "job/nightly", expiry: .seconds(3600)) { print("run the job") }
/// ```
public protocol SyncConditionalStorage<Key, Value>: SyncStorageAware, ConditionalStorage {
  /// Stores a value if the key has no value, or an expired one. Returns whether the value was stored.
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool

  /// Changes the expiry of a stored value without changing the value. Returns `false` if the key has no value, or an
  /// expired one.
  func touch(forKey key: Key, expiry: Expiry) throws -> Bool
}

/// A store that can add to an integer atomically.
///
/// ```swift
/// let visits = try await redis.increment(forKey: "visits", by: 1)
/// ```
public protocol CountingStorage<Key, Value>: StorageAware {
  /// Adds to the integer of a key and returns the sum. An absent integer counts as 0. The expiry does not change.
  func increment(forKey key: Key, by amount: Int) async throws -> Int
}
