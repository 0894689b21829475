// In an asynchronous function the compiler prefers an `async` function with a default to a function of the store
// without `async`. These two are the only ones of a store that have a default.
extension SyncStorageAware {
  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try withoutSuspending { try read(keys, how) }
  }

  /// Changes many keys.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try withoutSuspending { try change(batch, how) }
  }
}

/// Runs synchronous code in an asynchronous function. Inside `body` the compiler chooses the synchronous overload of a
/// function.
@inlinable
@inline(__always)
package func withoutSuspending<R>(_ body: () throws -> R) rethrows -> R { try body() }
