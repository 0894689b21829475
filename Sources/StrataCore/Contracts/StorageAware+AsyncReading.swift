extension StorageAware {
  /// Returns a value. Throws `.notFound` if there is none or it has expired.
  @inlinable
  public func object(forKey key: Key) async throws -> Value {
    guard let object = try await objectIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
  }

  /// Returns a value, or `nil` if there is none or it has expired.
  @inlinable
  public func objectIfPresent(forKey key: Key) async throws -> Value? {
    guard let entry = try await entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return nil
    }
    return entry.object
  }

  /// Returns a value with its expiry, even if it has expired. Throws `.notFound` if there is none.
  @inlinable
  public func entry(forKey key: Key) async throws -> Entry<Value> {
    guard let entry = try await entryIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return entry
  }

  /// Returns whether the key has a value that has not expired. Never decodes the value.
  public func objectExists(forKey key: Key) async throws -> Bool {
    try await !isExpiredObject(forKey: key)
  }

  /// Returns whether the key has no value or an expired one. Never decodes the value.
  public func isExpiredObject(forKey key: Key) async throws -> Bool {
    try await expiryIfPresent(forKey: key)?.isExpired(by: clock) ?? true
  }

  /// Returns the keys of all entries that have not expired, in no particular order. The same as `keys()`.
  public func allKeys() async throws -> [Key] { try await keys() }

  /// Returns all values that have not expired, in no particular order. They are all in memory at once.
  public func allObjects() async throws -> [Value] {
    var objects: [Value] = []
    // sync: try forEachEntryPage(limit: 1000) { entries in objects += entries.values.map(\.object) }
    for try await entries in entryPages(limit: 1000) { objects += entries.values.map(\.object) }
    return objects
  }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key) async throws {
    try await setObject(object, forKey: key, expiry: nil)
  }

  /// Returns a value. Throws `.notFound` if there is none or it has expired.
  @inlinable
  public func retrieve(forKey key: Key) async throws -> Value { try await object(forKey: key) }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func set(_ value: Value, forKey key: Key) async throws {
    try await setObject(value, forKey: key, expiry: nil)
  }
}
