/// A store with atomic conditional writes: no other write happens between the check and the write.
///
/// ```swift
/// let sessions = users.async
/// let isNew = try await sessions.setIfAbsent(ada, forKey: "ada", expiry: .seconds(60))
/// if !isNew { _ = try await sessions.touch(forKey: "ada", expiry: .seconds(60)) }
/// ```
///
/// The operation is atomic for all writers of the store, including other processes and machines that share it. A store
/// that does not conform reads the entry for such a change, and then writes it.
public protocol ConditionalStorage<Key, Value>: StorageAware {}

/// A `ConditionalStorage` that can be used without `await`.
///
/// ```swift
/// // Of all processes that share the disk, one runs the job.
/// if try disk.setIfAbsent(Data(), forKey: "job/nightly", expiry: .seconds(3600)) { print("run the job") }
/// ```
public protocol SyncConditionalStorage<Key, Value>: SyncStorageAware, ConditionalStorage {}

/// A store that can add to an integer atomically.
///
/// ```swift
/// let visits = try await redis.increment(forKey: "visits", by: 1)
/// ```
public protocol CountingStorage<Key, Value>: StorageAware {
  /// Adds to the integer of a key and returns the sum. An absent integer counts as 0. The expiry does not change.
  func increment(forKey key: Key, by amount: Int) async throws -> Int
}
