// Generated from StorageAware+AsyncReading.swift by `make twins`.
extension SyncStorageAware {
  /// Returns a value. Throws `.notFound` if there is none or it has expired.
  @inlinable
  public func object(forKey key: Key) throws -> Value {
    guard let object = try objectIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
  }

  /// Returns a value, or `nil` if there is none or it has expired.
  @inlinable
  public func objectIfPresent(forKey key: Key) throws -> Value? {
    guard let entry = try entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return nil
    }
    return entry.object
  }

  /// Returns a value with its expiry, even if it has expired. Throws `.notFound` if there is none.
  @inlinable
  public func entry(forKey key: Key) throws -> Entry<Value> {
    guard let entry = try entryIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return entry
  }

  /// Returns whether the key has a value that has not expired. Never decodes the value.
  public func objectExists(forKey key: Key) throws -> Bool {
    try !isExpiredObject(forKey: key)
  }

  /// Returns whether the key has no value or an expired one. Never decodes the value.
  public func isExpiredObject(forKey key: Key) throws -> Bool {
    try expiryIfPresent(forKey: key)?.isExpired(by: clock) ?? true
  }

  /// Returns the keys of all entries that have not expired, in no particular order. The same as `keys()`.
  public func allKeys() throws -> [Key] { try keys() }

  /// Returns all values that have not expired, in no particular order. They are all in memory at once.
  public func allObjects() throws -> [Value] {
    var objects: [Value] = []
    try forEachEntryPage(limit: 1000) { entries in objects += entries.values.map(\.object) }
    return objects
  }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key) throws {
    try setObject(object, forKey: key, expiry: nil)
  }

  /// Returns a value. Throws `.notFound` if there is none or it has expired.
  @inlinable
  public func retrieve(forKey key: Key) throws -> Value { try object(forKey: key) }

  /// Stores a value with the store's own expiry.
  @inlinable
  public func set(_ value: Value, forKey key: Key) throws {
    try setObject(value, forKey: key, expiry: nil)
  }
}
