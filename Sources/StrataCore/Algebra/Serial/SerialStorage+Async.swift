// sync: extension SerialStorage: SyncStorageAware where Base: SyncStorageAware {
extension SerialStorage {
  /// Returns the stored entry, in its turn, or `nil` if there is none.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await line.run { try await base.entryIfPresent(forKey: key) }
  }

  /// Stores a value, in its turn.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await line.change { try await base.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores a changed value as the inner store does, in its turn.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await line.change { try await base.replaceObject(object, forKey: key, expiry: expiry) }
  }

  /// Removes the entry of a key, in its turn.
  @inlinable
  public func removeObject(forKey key: Key) async throws {
    overtakeLoads(.key(key))
    try await line.change { try await base.removeObject(forKey: key) }
  }

  /// Removes all entries, in its turn.
  public func removeAll() async throws {
    overtakeLoads(.everything)
    try await line.change { try await base.removeAll() }
  }

  /// Removes expired entries, in its turn.
  public func removeExpiredObjects() async throws {
    try await line.run { try await base.removeExpiredObjects() }
  }

  /// Returns the keys of the inner store, in its turn.
  public func keys() async throws -> [Key] { try await line.run { try await base.keys() } }

  /// Returns at most `limit` keys of the inner store after a cursor. Each page has a turn of its own.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await line.run { try await base.keyPage(after: cursor, limit: limit) }
  }

  /// Returns the expiry of the stored entry, in its turn, or `nil` if there is none.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await line.run { try await base.expiryIfPresent(forKey: key) }
  }

  /// Removes a key from the memory tier, in its turn.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await line.run { try await base.removeInMemoryObject(forKey: key) }
  }

  /// Returns the entries of many keys, in one turn.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await line.run { try await base.entries(forKeys: keys) }
  }

  /// Stores many values, in one turn.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await line.change { try await base.setObjects(objects, expiry: expiry) }
  }

  /// Stores many values, each with its own expiry, in one turn.
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    try await line.change { try await base.setEntries(entries) }
  }

  /// Removes the entries of many keys, in one turn.
  public func removeObjects(forKeys keys: [Key]) async throws {
    overtakeLoads(TurnScope(keys))
    try await line.change { try await base.removeObjects(forKeys: keys) }
  }
}

// sync: extension SerialStorage: SyncUpdateableStorage where Base: SyncStorageAware {
extension SerialStorage: UpdateableStorage {
  /// Reads, changes and stores a value as one atomic operation. Returns the stored value. The expiry does not change.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing changes.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    // sync: try updateInTurn(forKey: key, modify)
    try await updateForCaller(forKey: key, modify)
  }

  @inlinable
  func updateInTurn(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    // sync: try line.change {
    try await line.changeIsolated {
      try await base.readModifyWrite(forKey: key, expiry: { try await storedExpiry($0, forKey: key) }) {
        value in
        // sync: try modify(&value)
        try line.holding { try modify(&value) }
      }
    }
  }

  /// Returns the expiry that an entry is stored with, or `nil` if the store's default applies. A default value, as
  /// `defaulting(to:)` returns it, is not stored and so has no expiry.
  @inlinable
  func storedExpiry(_ entry: Entry<Value>, forKey key: Key) async throws -> Expiry? {
    guard entry.expiry == .never else { return entry.expiry }
    return try await base.expiryIfPresent(forKey: key) == .never ? .never : nil
  }
}
