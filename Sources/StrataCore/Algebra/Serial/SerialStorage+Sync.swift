// Generated from SerialStorage+Async.swift by `make twins`.
extension SerialStorage: SyncStorageAware where Base: SyncStorageAware {
  /// Returns the stored entry, in its turn, or `nil` if there is none.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try line.run { try base.entryIfPresent(forKey: key) }
  }

  /// Stores a value, in its turn.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try line.change { try base.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores a changed value as the inner store does, in its turn.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try line.change { try base.replaceObject(object, forKey: key, expiry: expiry) }
  }

  /// Removes the entry of a key, in its turn.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    overtakeLoads(.key(key))
    try line.change { try base.removeObject(forKey: key) }
  }

  /// Removes all entries, in its turn.
  public func removeAll() throws {
    overtakeLoads(.everything)
    try line.change { try base.removeAll() }
  }

  /// Removes expired entries, in its turn.
  public func removeExpiredObjects() throws {
    try line.run { try base.removeExpiredObjects() }
  }

  /// Returns the keys of the inner store, in its turn.
  public func keys() throws -> [Key] { try line.run { try base.keys() } }

  /// Returns at most `limit` keys of the inner store after a cursor. Each page has a turn of its own.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try line.run { try base.keyPage(after: cursor, limit: limit) }
  }

  /// Returns the expiry of the stored entry, in its turn, or `nil` if there is none.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try line.run { try base.expiryIfPresent(forKey: key) }
  }

  /// Removes a key from the memory tier, in its turn.
  public func removeInMemoryObject(forKey key: Key) throws {
    try line.run { try base.removeInMemoryObject(forKey: key) }
  }

  /// Returns the entries of many keys, in one turn.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try line.run { try base.entries(forKeys: keys) }
  }

  /// Stores many values, in one turn.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try line.change { try base.setObjects(objects, expiry: expiry) }
  }

  /// Stores many values, each with its own expiry, in one turn.
  public func setEntries(_ entries: [Key: Entry<Value>]) throws {
    try line.change { try base.setEntries(entries) }
  }

  /// Removes the entries of many keys, in one turn.
  public func removeObjects(forKeys keys: [Key]) throws {
    overtakeLoads(TurnScope(keys))
    try line.change { try base.removeObjects(forKeys: keys) }
  }
}

extension SerialStorage: SyncUpdateableStorage where Base: SyncStorageAware {
  /// Reads, changes and stores a value as one atomic operation. Returns the stored value. The expiry does not change.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing changes.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try updateInTurn(forKey: key, modify)
  }

  @inlinable
  func updateInTurn(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try line.change {
      try base.readModifyWrite(forKey: key, expiry: { try storedExpiry($0, forKey: key) }) {
        value in
        try modify(&value)
      }
    }
  }

  /// Returns the expiry that an entry is stored with, or `nil` if the store's default applies. A default value, as
  /// `defaulting(to:)` returns it, is not stored and so has no expiry.
  @inlinable
  func storedExpiry(_ entry: Entry<Value>, forKey key: Key) throws -> Expiry? {
    guard entry.expiry == .never else { return entry.expiry }
    return try base.expiryIfPresent(forKey: key) == .never ? .never : nil
  }
}
