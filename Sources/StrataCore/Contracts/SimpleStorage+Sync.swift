// Generated from SimpleStorage+Async.swift by `make twins`.
extension SyncSimpleStorage {
  /// Returns the stored entry of a key, or `nil` if there is none.
  @inlinable
  public func read(_ key: Key, _ how: How) throws -> Entry<Value>? { try readSimply(key, how) }

  @inlinable
  package func readSimply(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.atOnce), waits { return try peeked(key) }
    if how.contains(.expiryOnly) { return try expiryIfPresent(forKey: key).map { Entry(expiry: $0) } }
    return try entryIfPresent(forKey: key)
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if how.allowsBatch { return try entries(forKeys: keys) }
    return try readEach(keys, how)
  }

  /// Changes one key, and returns whether it was changed.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try changeSimply(key, change, how)
  }

  @inlinable
  package func changeSimply(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    if how.contains(.atOnce), waits { throw WouldWait() }
    switch change.kind {
    case .set(let expiry), .replace(let expiry):
      try setObject(change.object, forKey: key, expiry: expiry)
    case .setIfAbsent, .touch:
      guard let change = try unconditional(change, forKey: key) else { return false }
      return try self.change(key, change, how)
    case .remove: try removeObject(forKey: key)
    case .forget: break
    }
    return true
  }

  /// Changes many keys.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if how.contains(.atOnce), waits { throw WouldWait() }
    switch batch {
    case .set(let objects, let expiry): try setObjects(objects, expiry: expiry)
    case .setEntries(let entries): try setEntries(entries)
    case .remove(let keys): try removeObjects(forKeys: keys)
    }
  }

  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if cursor == nil, limit == .max { return KeyPage(keys: try keys(), next: nil) }
    return try keyPage(after: cursor, limit: limit)
  }

  /// Removes all entries, or the expired ones.
  public func clear(_ extent: StoreExtent) throws {
    switch extent {
    case .everything: try removeAll()
    case .expired: try removeExpiredObjects()
    }
  }
}

extension SyncSimpleStorage {
  /// Reads the entry and discards its value.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try entryIfPresent(forKey: key)?.expiry
  }

  /// Reads the keys one after the other.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try entryIfPresent(forKey: key) }
    return found
  }

  /// Stores the values one after the other. Stops at the first failure.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    for (key, object) in objects { try setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores the values of each expiry together. Stops at the first failure.
  public func setEntries(_ entries: [Key: Entry<Value>]) throws {
    for (expiry, objects) in StoreBatch.setEntries(entries).byExpiry {
      try setObjects(objects, expiry: expiry)
    }
  }

  /// Removes the keys one after the other. Stops at the first failure.
  public func removeObjects(forKeys keys: [Key]) throws {
    for key in keys { try removeObject(forKey: key) }
  }

  /// Lists all keys once, and returns pages of that list. Override it: the list may not fit into memory.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if let cursor { return try KeyPage(cursor.position(), limit: limit) }
    return KeyPage(try keys()[...], limit: limit)
  }
}

// Without these, the extensions of `StorageAware` would satisfy the requirements, and call themselves for ever.
extension SyncSimpleStorage {
  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func removeObject(forKey key: Key) throws { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func removeAll() throws { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func removeExpiredObjects() throws { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func keys() throws -> [Key] { fatalError() }
}

extension SyncSimpleConditionalStorage {
  /// Changes one key, and returns whether it was changed.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try changeAtomically(key, change, how)
  }

  @inlinable
  package func changeAtomically(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    switch change.kind {
    case .setIfAbsent(let expiry) where !(how.contains(.atOnce) && waits):
      try setIfAbsent(change.object, forKey: key, expiry: expiry)
    case .touch(let expiry) where !(how.contains(.atOnce) && waits):
      try touch(forKey: key, expiry: expiry)
    default: try changeSimply(key, change, how)
    }
  }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    fatalError()
  }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool { fatalError() }
}

extension SyncSimpleStorage where Self: SyncConditionalStorage {
  /// Conform to `SimpleConditionalStorage`, which calls `setIfAbsent` and `touch`.
  @available(
    *, unavailable, message: "conform to SyncSimpleConditionalStorage instead of SyncConditionalStorage"
  )
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    fatalError()
  }
}
