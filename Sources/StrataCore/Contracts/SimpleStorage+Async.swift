extension SimpleStorage {
  /// Returns the stored entry of a key, or `nil` if there is none.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? { try await readSimply(key, how) }

  @inlinable
  package func readSimply(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.atOnce), waits { return try peeked(key) }
    if how.contains(.expiryOnly) { return try await expiryIfPresent(forKey: key).map { Entry(expiry: $0) } }
    return try await entryIfPresent(forKey: key)
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if how.allowsBatch { return try await entries(forKeys: keys) }
    return try await readEach(keys, how)
  }

  /// Changes one key, and returns whether it was changed.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try await changeSimply(key, change, how)
  }

  @inlinable
  package func changeSimply(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if how.contains(.atOnce), waits { throw WouldWait() }
    switch change.kind {
    case .set(let expiry), .replace(let expiry):
      try await setObject(change.object, forKey: key, expiry: expiry)
    case .setIfAbsent, .touch:
      guard let change = try await unconditional(change, forKey: key) else { return false }
      return try await self.change(key, change, how)
    case .remove: try await removeObject(forKey: key)
    case .forget: break
    }
    return true
  }

  /// Changes many keys.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce), waits { throw WouldWait() }
    switch batch {
    case .set(let objects, let expiry): try await setObjects(objects, expiry: expiry)
    case .setEntries(let entries): try await setEntries(entries)
    case .remove(let keys): try await removeObjects(forKeys: keys)
    }
  }

  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    if cursor == nil, limit == .max { return KeyPage(keys: try await keys(), next: nil) }
    return try await keyPage(after: cursor, limit: limit)
  }

  /// Removes all entries, or the expired ones.
  public func clear(_ extent: StoreExtent) async throws {
    switch extent {
    case .everything: try await removeAll()
    case .expired: try await removeExpiredObjects()
    }
  }
}

extension SimpleStorage {
  /// Reads the entry and discards its value.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await entryIfPresent(forKey: key)?.expiry
  }

  /// Reads the keys one after the other.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try await entryIfPresent(forKey: key) }
    return found
  }

  /// Stores the values one after the other. Stops at the first failure.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    for (key, object) in objects { try await setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores the values of each expiry together. Stops at the first failure.
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    for (expiry, objects) in StoreBatch.setEntries(entries).byExpiry {
      try await setObjects(objects, expiry: expiry)
    }
  }

  /// Removes the keys one after the other. Stops at the first failure.
  public func removeObjects(forKeys keys: [Key]) async throws {
    for key in keys { try await removeObject(forKey: key) }
  }

  /// Lists all keys once, and returns pages of that list. Override it: the list may not fit into memory.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    if let cursor { return try KeyPage(cursor.position(), limit: limit) }
    return KeyPage(try await keys()[...], limit: limit)
  }
}

// Without these, the extensions of `StorageAware` would satisfy the requirements, and call themselves for ever.
extension SimpleStorage {
  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func removeObject(forKey key: Key) async throws { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func removeAll() async throws { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func removeExpiredObjects() async throws { fatalError() }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func keys() async throws -> [Key] { fatalError() }
}

extension SimpleConditionalStorage {
  /// Changes one key, and returns whether it was changed.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try await changeAtomically(key, change, how)
  }

  @inlinable
  package func changeAtomically(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    switch change.kind {
    case .setIfAbsent(let expiry) where !(how.contains(.atOnce) && waits):
      try await setIfAbsent(change.object, forKey: key, expiry: expiry)
    case .touch(let expiry) where !(how.contains(.atOnce) && waits):
      try await touch(forKey: key, expiry: expiry)
    default: try await changeSimply(key, change, how)
    }
  }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    fatalError()
  }

  /// To be implemented.
  @available(*, unavailable, message: "implement it in the conforming type")
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool { fatalError() }
}

extension SimpleStorage where Self: ConditionalStorage {
  /// Conform to `SimpleConditionalStorage`, which calls `setIfAbsent` and `touch`.
  @available(
    *, unavailable, message: "conform to SimpleConditionalStorage instead of ConditionalStorage"
  )
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    fatalError()
  }
}
