public import StrataCore

/// With `await`, no function of `Storage` blocks its thread: each calls the same function of `async`.
///
/// Generic code that calls a `Storage` as `some StorageAware` with `await` reaches these functions too. A call without
/// `await`, in synchronous code, runs on the calling thread and may block it.
extension Storage {
  /// Returns the stored entry, or `nil`. It may have expired. Does not suspend if the value is in memory.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if let entry = chain.live(key, as: transformer) { return entry }
    return try await async.readInTurn(key)
  }

  /// Returns the value; throws `.notFound` if it is absent or has expired. Does not suspend if the value is in memory.
  @inlinable
  public func object(forKey key: Key) async throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    return try await async.object(forKey: key)
  }

  /// Returns the value, or `nil` if it is absent or has expired.
  public func objectIfPresent(forKey key: Key) async throws -> Value? {
    try await async.objectIfPresent(forKey: key)
  }

  /// Returns the value with its expiry; throws `.notFound` if it is absent. The value may have expired.
  public func entry(forKey key: Key) async throws -> Entry<Value> { try await async.entry(forKey: key) }

  /// Returns the expiry of the stored value, or `nil`. Never decodes the value.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await async.expiryIfPresent(forKey: key)
  }

  /// Returns whether a value is stored that has not expired. Never decodes it.
  public func objectExists(forKey key: Key) async throws -> Bool {
    try await async.objectExists(forKey: key)
  }

  /// Returns whether the value has expired or is absent. Never decodes it.
  public func isExpiredObject(forKey key: Key) async throws -> Bool {
    try await async.isExpiredObject(forKey: key)
  }

  /// Returns the keys of all values that have not expired, also after a restart.
  public func keys() async throws -> [Key] { try await async.keys() }

  /// Returns at most `limit` keys after a cursor. Iterate with `keyPages` or `forEachKeyPage`.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await async.keyPage(after: cursor, limit: limit)
  }

  /// Returns the keys of all values that have not expired; another name for `keys()`.
  public func allKeys() async throws -> [Key] { try await async.keys() }

  /// Returns all values that have not expired.
  public func allObjects() async throws -> [Value] { try await async.allObjects() }

  /// Returns the entries of several keys, read in one batch. Absent keys are missing from the result.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await async.entries(forKeys: keys)
  }

  /// Returns the value; throws `.notFound` if it is absent or has expired.
  public func retrieve(forKey key: Key) async throws -> Value { try await async.object(forKey: key) }
}

extension Storage {
  /// Stores a value: in the last tier first, then in memory. Without an expiry, each tier applies its own.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await async.setObject(object, forKey: key, expiry: expiry)
  }

  /// Replaces a value that was read by a changed one. Each tier keeps its expiry.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await async.replaceObject(object, forKey: key, expiry: expiry)
  }

  /// Stores a value. Each tier applies its own expiry.
  public func setObject(_ object: Value, forKey key: Key) async throws {
    try await async.setObject(object, forKey: key, expiry: nil)
  }

  /// Stores a value. Each tier applies its own expiry.
  public func set(_ value: Value, forKey key: Key) async throws {
    try await async.setObject(value, forKey: key, expiry: nil)
  }

  /// Stores several values in one batch.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await async.setObjects(objects, expiry: expiry)
  }

  /// Stores several values, each with its own expiry, in one batch.
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await async.setEntries(entries) }

  /// Removes the value under a key. Does nothing if it is absent.
  public func removeObject(forKey key: Key) async throws { try await async.removeObject(forKey: key) }

  /// Removes the values of several keys in one batch.
  public func removeObjects(forKeys keys: [Key]) async throws { try await async.removeObjects(forKeys: keys) }

  /// Removes all values. A read in progress does not put its value back.
  public func removeAll() async throws { try await async.removeAll() }

  /// Removes all expired values.
  public func removeExpiredObjects() async throws { try await async.removeExpiredObjects() }

  /// Removes a value from memory only. The next read takes it from the next tier.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await async.removeInMemoryObject(forKey: key)
  }

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
