extension SyncStorageAware {
  /// Reads a value; throws `.notFound` where there is none or it has expired.
  @inlinable
  public func object(forKey key: Key) throws -> Value {
    guard let object = try objectIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
  }

  /// Reads a value; `nil` where there is none or it has expired.
  @inlinable
  public func objectIfPresent(forKey key: Key) throws -> Value? {
    guard let entry = try entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return nil
    }
    return entry.object
  }

  /// Reads a value with its expiry; throws `.notFound` where there is none. It may have expired.
  @inlinable
  public func entry(forKey key: Key) throws -> Entry<Value> {
    guard let entry = try entryIfPresent(forKey: key) else { throw StorageError.notFound.with(key: key) }
    return entry
  }

  /// Whether there is a value that has not expired. Never decodes it.
  public func objectExists(forKey key: Key) throws -> Bool {
    try !isExpiredObject(forKey: key)
  }

  /// Whether the value has expired; absent counts as expired. Never decodes it.
  public func isExpiredObject(forKey key: Key) throws -> Bool {
    try expiryIfPresent(forKey: key)?.isExpired(by: clock) ?? true
  }

  /// The keys of all that is stored and has not expired, in no order; another name for `keys()`.
  public func allKeys() throws -> [Key] { try keys() }

  /// All values that have not expired, in no order. They are all in memory at once.
  public func allObjects() throws -> [Value] {
    let clock = clock
    return try entries(forKeys: keys()).values.filter { !$0.expiry.isExpired(by: clock) }.map(\.object)
  }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key) throws {
    try setObject(object, forKey: key, expiry: nil)
  }

  /// Reads a value; throws `.notFound` where there is none or it has expired.
  @inlinable
  public func retrieve(forKey key: Key) throws -> Value { try object(forKey: key) }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func set(_ value: Value, forKey key: Key) throws {
    try setObject(value, forKey: key, expiry: nil)
  }
}
