/// With `await`, a read or a write through `Storage` does not block the thread: it is the same as through `async`.
extension Storage {
  /// Reads a value; throws `.notFound` where there is none or it has expired.
  public func object(forKey key: Key) async throws -> Value { try await async.object(forKey: key) }

  /// Reads a value; `nil` where there is none or it has expired.
  public func objectIfPresent(forKey key: Key) async throws -> Value? {
    try await async.objectIfPresent(forKey: key)
  }

  /// Reads a value with its expiry; throws `.notFound` where there is none. It may have expired.
  public func entry(forKey key: Key) async throws -> Entry<Value> { try await async.entry(forKey: key) }

  /// Whether there is a value that has not expired. Never decodes it.
  public func objectExists(forKey key: Key) async throws -> Bool {
    try await async.objectExists(forKey: key)
  }

  /// Whether the value has expired; absent counts as expired. Never decodes it.
  public func isExpiredObject(forKey key: Key) async throws -> Bool {
    try await async.isExpiredObject(forKey: key)
  }

  /// The keys of all that is stored and has not expired; another name for `keys()`.
  public func allKeys() async throws -> [Key] { try await async.allKeys() }

  /// All values that have not expired.
  public func allObjects() async throws -> [Value] { try await async.allObjects() }

  /// Stores a value with the expiry of the tiers' configurations.
  public func setObject(_ object: Value, forKey key: Key) async throws {
    try await async.setObject(object, forKey: key)
  }

  /// Reads a value; throws `.notFound` where there is none or it has expired.
  public func retrieve(forKey key: Key) async throws -> Value { try await async.object(forKey: key) }

  /// Stores a value with the expiry of the tiers' configurations.
  public func set(_ value: Value, forKey key: Key) async throws {
    try await async.setObject(value, forKey: key)
  }
}
