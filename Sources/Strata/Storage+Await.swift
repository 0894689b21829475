public import StrataCore

/// With `await`, no function of `Storage` blocks its thread: each does the same as through `async`.
///
/// That holds for code for any store too: where it calls a `Storage` as `some StorageAware` with `await`, these are the
/// functions that it reaches. In code that is not asynchronous, a call without `await` answers on its own thread.
extension Storage {
  /// Reads what is stored, or `nil`. It may have expired. What is in memory is answered without suspending.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if let entry = chain.live(key, as: transformer) { return entry }
    return try await async.readInTurn(key)
  }

  /// Reads a value; throws `.notFound` where there is none or it has expired. What is in memory is answered without
  /// suspending.
  @inlinable
  public func object(forKey key: Key) async throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    return try await async.object(forKey: key)
  }

  /// Reads a value; `nil` where there is none or it has expired.
  public func objectIfPresent(forKey key: Key) async throws -> Value? {
    try await async.objectIfPresent(forKey: key)
  }

  /// Reads a value with its expiry; throws `.notFound` where there is none. It may have expired.
  public func entry(forKey key: Key) async throws -> Entry<Value> { try await async.entry(forKey: key) }

  /// The expiry of what is stored, or `nil`; never decodes the value.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await async.expiryIfPresent(forKey: key)
  }

  /// Whether there is a value that has not expired. Never decodes it.
  public func objectExists(forKey key: Key) async throws -> Bool {
    try await async.objectExists(forKey: key)
  }

  /// Whether the value has expired; absent counts as expired. Never decodes it.
  public func isExpiredObject(forKey key: Key) async throws -> Bool {
    try await async.isExpiredObject(forKey: key)
  }

  /// The keys of all that is stored and has not expired, also after a restart.
  public func keys() async throws -> [Key] { try await async.keys() }

  /// The keys of all that is stored and has not expired; another name for `keys()`.
  public func allKeys() async throws -> [Key] { try await async.keys() }

  /// All values that have not expired.
  public func allObjects() async throws -> [Value] { try await async.allObjects() }

  /// Reads many keys in one batch; those under which nothing is stored are missing from the answer.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await async.entries(forKeys: keys)
  }

  /// Reads a value; throws `.notFound` where there is none or it has expired.
  public func retrieve(forKey key: Key) async throws -> Value { try await async.object(forKey: key) }
}

extension Storage {
  /// Stores a value: on disk, then in memory. Without an expiry those of the tiers' configurations apply.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await async.setObject(object, forKey: key, expiry: expiry)
  }

  /// Stores a changed value in place of one that was read; each tier keeps the expiry that it had.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await async.replaceObject(object, forKey: key, expiry: expiry)
  }

  /// Stores a value with the expiry of the tiers' configurations.
  public func setObject(_ object: Value, forKey key: Key) async throws {
    try await async.setObject(object, forKey: key, expiry: nil)
  }

  /// Stores a value with the expiry of the tiers' configurations.
  public func set(_ value: Value, forKey key: Key) async throws {
    try await async.setObject(value, forKey: key, expiry: nil)
  }

  /// Stores many values in one batch.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await async.setObjects(objects, expiry: expiry)
  }

  /// Removes what is stored under a key, if anything is.
  public func removeObject(forKey key: Key) async throws { try await async.removeObject(forKey: key) }

  /// Removes many keys in one batch.
  public func removeObjects(forKeys keys: [Key]) async throws { try await async.removeObjects(forKeys: keys) }

  /// Removes everything. What is being read at the time does not come back.
  public func removeAll() async throws { try await async.removeAll() }

  /// Removes what has expired.
  public func removeExpiredObjects() async throws { try await async.removeExpiredObjects() }

  /// Drops a key from memory. The next read finds it in the tier behind.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await async.removeInMemoryObject(forKey: key)
  }

  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. `modify` is called where the
  /// caller is, on its actor say; again, with the new value, if somebody else changes the value meanwhile. It may use
  /// other keys, but to write this one throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await async.updateInPlace(forKey: key, modify)
  }
}
