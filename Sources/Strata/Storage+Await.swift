public import StrataCore

/// With `await`, no function of `Storage` blocks its thread: each uses the same function of `async`.
///
/// Generic code that calls a `Storage` as `some StorageAware` with `await` reaches these functions too. A call without
/// `await`, in synchronous code, runs on the calling thread and may block it.
extension Storage {
  /// Returns the stored entry, or `nil`. It may have expired. Does not suspend if the value is in memory.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? { try await async.read(key, how) }

  /// Returns the value; throws `.notFound` if it is absent or has expired. Does not suspend if the value is in memory.
  @inlinable
  public func object(forKey key: Key) async throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    return try await async.object(forKey: key)
  }

  /// Returns the entries of several keys, read in one batch. Absent keys are missing from the result.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try await async.read(keys, how)
  }

  /// Returns all values that have not expired.
  public func allObjects() async throws -> [Value] { try await async.allObjects() }

  /// Changes one key, in its turn, and returns whether it was changed. A change at once always throws `WouldWait`.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try await async.change(key, change, how)
  }

  /// Changes several keys in one batch.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try await async.change(batch, how)
  }

  /// Returns at most `limit` keys after a cursor. Iterate with `keyPages` or `forEachKeyPage`.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await async.list(after: cursor, limit: limit)
  }

  /// Removes all entries, or the expired ones. A read in progress does not put its value back.
  public func clear(_ extent: StoreExtent) async throws { try await async.clear(extent) }

  /// Reads, changes and stores a value as one operation; returns the new value. Its expiry does not change.
  ///
  /// Throws `.notFound` if the value is absent. If `modify` throws, the value stays as it is. `modify` runs in the
  /// caller's isolation. If the value changes meanwhile, it runs again with the new value. It may use other keys, but a
  /// write of this key throws `.deadlock`.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await async.updateInCaller(key, modify)
  }
}
