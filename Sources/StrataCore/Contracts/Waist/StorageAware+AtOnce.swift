extension StorageAware {
  @inlinable
  package func peeked(_ key: Key) throws -> Entry<Value> {
    guard let entry = peek(forKey: key), !entry.expiry.isExpired(by: clock) else { throw WouldWait() }
    return entry
  }
}

extension SyncStorageAware {
  @inlinable
  func lookedUp(_ key: Key, _ how: How) throws -> Entry<Value>? {
    guard how.contains(.expiryOnly) else { return try cachedEntry(forKey: key).get() }
    return try cachedExpiry(forKey: key).get().map { Entry(expiry: $0) }
  }

  @inlinable
  func changeAtOnce(_ key: Key, _ change: StoreChange<Value>) throws -> Bool {
    if case .set(let expiry) = change.kind {
      if try setObjectAtOnce(change.object, forKey: key, expiry: expiry) { return true }
      throw WouldWait()
    }
    if mayBlock { throw WouldWait() }
    return try self.change(key, change, [])
  }
}

// An `async` function of `StorageAware` would be preferred to the function without `async` of a store.
extension SyncStorageAware {
  /// Returns the stored entry of a key, or `nil` if there is none.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    try withoutSuspending { try read(key, how) }
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try withoutSuspending { try read(keys, how) }
  }

  /// Changes one key, and returns whether it was changed.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try withoutSuspending { try self.change(key, change, how) }
  }

  /// Changes many keys.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try withoutSuspending { try change(batch, how) }
  }

  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor.
  @inlinable
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try withoutSuspending { try list(after: cursor, limit: limit) }
  }

  /// Removes all entries, or the expired ones.
  @inlinable
  public func clear(_ extent: StoreExtent) async throws { try withoutSuspending { try clear(extent) } }
}
