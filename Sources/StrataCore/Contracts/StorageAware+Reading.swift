extension StorageAware {
  /// Reads a value; throws `.notFound` where there is none or it has expired.
  @inlinable
  public func object(forKey key: Key) async throws -> Value {
    guard let object = try await objectIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
  }

  /// Reads a value; `nil` where there is none or it has expired.
  @inlinable
  public func objectIfPresent(forKey key: Key) async throws -> Value? {
    guard let entry = try await entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return nil
    }
    return entry.object
  }

  /// Reads a value with its expiry; throws `.notFound` where there is none. It may have expired.
  @inlinable
  public func entry(forKey key: Key) async throws -> Entry<Value> {
    guard let entry = try await entryIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return entry
  }

  /// Whether there is a value that has not expired. Never decodes it.
  public func objectExists(forKey key: Key) async throws -> Bool {
    try await !isExpiredObject(forKey: key)
  }

  /// Whether the value has expired; absent counts as expired. Never decodes it.
  public func isExpiredObject(forKey key: Key) async throws -> Bool {
    try await expiryIfPresent(forKey: key)?.isExpired(by: clock) ?? true
  }

  /// The keys of all that is stored and has not expired, in no order; another name for `keys()`.
  public func allKeys() async throws -> [Key] { try await keys() }

  /// All values that have not expired, in no order. They are all in memory at once.
  public func allObjects() async throws -> [Value] {
    let clock = clock
    return try await entries(forKeys: keys()).values.filter { !$0.expiry.isExpired(by: clock) }.map(\.object)
  }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key) async throws {
    try await setObject(object, forKey: key, expiry: nil)
  }

  /// Reads a value; throws `.notFound` where there is none or it has expired.
  @inlinable
  public func retrieve(forKey key: Key) async throws -> Value { try await object(forKey: key) }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func set(_ value: Value, forKey key: Key) async throws {
    try await setObject(value, forKey: key, expiry: nil)
  }
}
