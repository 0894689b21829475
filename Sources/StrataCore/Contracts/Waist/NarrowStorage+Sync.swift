// Generated from NarrowStorage+Async.swift by `make twins`.
extension SyncNarrowStorage {
  /// Returns the stored entry of a key, or `nil` if there is none.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? { try read(key, []) }

  /// Returns the expiry of the stored entry, or `nil` if there is none. Never decodes the value.
  @inlinable
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try read(key, .expiryOnly)?.expiry
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] { try read(keys, []) }

  /// Stores a value. If the expiry is `nil`, the store's default applies.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try change(key, .set(object, expiry), [])
  }

  /// Stores a changed value in place of a value that was read with this expiry.
  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try change(key, .replace(object, expiry), [])
  }

  /// Removes the entry of a key.
  @inlinable
  public func removeObject(forKey key: Key) throws { try change(key, .remove, []) }

  /// Removes a key from the memory tier only; other tiers keep it.
  @inlinable
  public func removeInMemoryObject(forKey key: Key) throws { try change(key, .forget, []) }

  /// Stores many values.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try change(.set(objects, expiry), [])
  }

  /// Stores many values, each with the expiry of its entry.
  @inlinable
  public func setEntries(_ entries: [Key: Entry<Value>]) throws {
    try change(.setEntries(entries), [])
  }

  /// Removes the entries of many keys.
  @inlinable
  public func removeObjects(forKeys keys: [Key]) throws { try change(.remove(keys), []) }

  /// Removes all entries.
  @inlinable
  public func removeAll() throws { try clear(.everything) }

  /// Removes expired entries.
  @inlinable
  public func removeExpiredObjects() throws { try clear(.expired) }

  /// Returns the keys of all entries that have not expired.
  public func keys() throws -> [Key] {
    var all: [Key] = []
    try forEachKeyPage(limit: .max) { keys in all += keys }
    return all
  }

  /// Returns at most `limit` keys after a cursor, or the first ones without a cursor.
  @inlinable
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try list(after: cursor, limit: limit)
  }
}

// What a store without batches of its own does with them.
extension SyncNarrowStorage {
  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    try readEach(keys, how)
  }

  /// Changes many keys.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    switch batch {
    case .set(let objects, let expiry):
      for (key, object) in objects { try change(key, .set(object, expiry), how) }
    case .setEntries(let entries):
      for (key, entry) in entries { try change(key, .set(entry.object, entry.expiry), how) }
    case .remove(let keys):
      for key in keys { try change(key, .remove, how) }
    }
  }
}

extension SyncNarrowStorage where Self: SyncConditionalStorage {
  /// Stores a value if the key has no value, or an expired one. Returns whether the value was stored.
  @inlinable
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try change(key, .setIfAbsent(object, expiry), [])
  }

  /// Changes the expiry of a stored value. Returns `false` if the key has no value, or an expired one.
  @inlinable
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try change(key, .touch(expiry), [])
  }
}
