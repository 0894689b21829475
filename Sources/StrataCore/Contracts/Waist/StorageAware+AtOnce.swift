extension StorageAware {
  @inlinable
  func peeked(_ key: Key) throws -> Entry<Value> {
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
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    try withoutSuspending { try read(key, how) }
  }

  @inlinable
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    try withoutSuspending { try read(keys, how) }
  }

  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try withoutSuspending { try self.change(key, change, how) }
  }

  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try withoutSuspending { try change(batch, how) }
  }

  @inlinable
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try withoutSuspending { try list(after: cursor, limit: limit) }
  }

  @inlinable
  public func clear(_ extent: StoreExtent) async throws { try withoutSuspending { try clear(extent) } }
}
