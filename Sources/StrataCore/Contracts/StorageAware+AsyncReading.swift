extension StorageAware {
  /// Returns the stored entry, or `nil` if there is none. It may have expired: check its `expiry`.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? { try await read(key, []) }

  /// Returns the expiry of the stored entry, or `nil` if there is none. Never decodes the value.
  @inlinable
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await read(key, .expiryOnly)?.expiry
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] { try await read(keys, []) }

  /// Reads the keys one after the other.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try await readEach(keys, how)
  }

  @usableFromInline
  package func readEach(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try await read(key, how) }
    return found
  }

  /// Returns the keys of all entries that have not expired, in no particular order.
  public func keys() async throws -> [Key] {
    var all: [Key] = []
    // sync: try forEachKeyPage(limit: .max) { keys in all += keys }
    for try await keys in keyPages(limit: .max) { all += keys }
    return all
  }

  /// Returns at most `limit` keys after a cursor, or the first ones without a cursor. See ``list(after:limit:)``.
  @inlinable
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await list(after: cursor, limit: limit)
  }

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
    try await entryIfPresent(forKey: key).liveObject(by: clock)
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

  /// Returns a value. Throws `.notFound` if there is none or it has expired.
  @inlinable
  public func retrieve(forKey key: Key) async throws -> Value { try await object(forKey: key) }
}
