public import StrataCore

extension Storage {
  /// Returns the entry if it is already decoded in memory as this type. Never blocks.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { chain.cached(key, as: transformer) }

  /// Returns the result of `body` for the entry that `peek` would return, without copying it. `body` may run while the
  /// memory is locked: it must not use a store.
  @inlinable
  @inline(__always)
  public func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?)
    -> R?
  {
    chain._withCachedObject(key, as: transformer, body)
  }

  /// Returns the stored entry, or `nil`. It may have expired.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if let entry = chain.live(key, as: transformer) { return entry }
    return try readInTurn(key)
  }

  /// Returns the value; throws `.notFound` if it is absent or has expired.
  @inlinable
  public func object(forKey key: Key) throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    guard let entry = try readInTurn(key), !entry.expiry.isExpired(by: chain.clock) else {
      throw StorageError.notFound.with(key: key)
    }
    return entry.object
  }

  @inlinable
  @inline(never)
  func readInTurn(_ key: Key) throws -> Entry<Value>? { try ordered.readInTurn(key) }

  /// Stores a value: in the last tier first, then in memory. Without an expiry, each tier applies its own.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    guard expiry == nil, let soleTier else {
      return try ordered.setObject(object, forKey: key, expiry: expiry)
    }
    let wrapper = soleTier.maker.wrapper(object)
    if try !soleTier.overwrite(wrapper, key) { try ordered.setWrapped(wrapper, forKey: key) }
  }

  /// Replaces a value that was read by a changed one. Each tier keeps its expiry.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try ordered.replaceObject(object, forKey: key, expiry: expiry)
  }

  /// Removes the value under a key. Does nothing if it is absent.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    try ordered.removeObject(forKey: key)
  }

  /// Removes all values. A read in progress does not put its value back.
  public func removeAll() throws { try ordered.removeAll() }

  /// Removes all expired values.
  public func removeExpiredObjects() throws { try ordered.removeExpiredObjects() }

  /// Returns the keys of all values that have not expired, also after a restart.
  public func keys() throws -> [Key] { try ordered.keys() }

  /// Returns at most `limit` keys after a cursor. Iterate with `keyPages` or `forEachKeyPage`.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try ordered.keyPage(after: cursor, limit: limit)
  }

  /// Returns the expiry of the stored value, or `nil`. Never decodes the value.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try chain.liveExpiry(key) ?? ordered.expiryIfPresent(forKey: key)
  }

  /// Returns the result of a read if it is available without waiting.
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> { ordered.cachedEntry(forKey: key) }

  /// Returns the expiry of a stored value if it is available without waiting.
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { ordered.cachedExpiry(forKey: key) }

  /// Stores a value if no other operation has the key's turn, no tier has to wait, and there are no observers. Returns
  /// `false` without changing anything otherwise.
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try ordered.setObjectAtOnce(object, forKey: key, expiry: expiry)
  }

  /// Removes a value from memory only. The next read takes it from the next tier.
  public func removeInMemoryObject(forKey key: Key) throws {
    try ordered.removeInMemoryObject(forKey: key)
  }

  /// Returns the entries of several keys, read in one batch. Absent keys are missing from the result.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    let (live, others) = chain.split(keys, as: transformer)
    return others.isEmpty ? live : try live.merging(ordered.entries(forKeys: others)) { $1 }
  }

  /// Stores several values in one batch.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try ordered.setObjects(objects, expiry: expiry)
  }

  /// Stores several values, each with its own expiry, in one batch.
  public func setEntries(_ entries: [Key: Entry<Value>]) throws { try ordered.setEntries(entries) }

  /// Removes the values of several keys in one batch.
  public func removeObjects(forKeys keys: [Key]) throws {
    try ordered.removeObjects(forKeys: keys)
  }
}

extension Storage: SyncUpdateableStorage {
  /// Reads, changes and stores a value as one operation; returns the new value. Its expiry does not change.
  ///
  /// Throws `.notFound` if the value is absent. If `modify` throws, the value stays as it is. `modify` runs in the
  /// key's turn: it may use other keys, but a write of this key throws `.deadlock`.
  ///
  /// ```swift
  /// try users.update(forKey: "ada") { $0.visits += 1 }
  /// ```
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try ordered.update(forKey: key, modify)
  }
}
