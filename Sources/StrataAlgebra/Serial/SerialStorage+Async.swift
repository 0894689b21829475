public import StrataCore

// sync: extension SerialStorage: SyncStorageAware where Base: SyncStorageAware {
extension SerialStorage {
  /// Returns the stored entry, in its turn, or `nil` if there is none.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return try await base.read(key, how) }
    if how.contains(.atOnce) { return try peeked(key) }
    return try await line.run { try await base.read(key, how) }
  }

  /// Returns the entries of many keys, in one turn.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if !how.isDisjoint(with: [.quietly, .atOnce]) { return try await readEach(keys, how) }
    return try await line.run { try await base.read(keys, how) }
  }

  /// Changes a key, in its turn.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if how.contains(.atOnce) { throw WouldWait() }
    if case .remove = change.kind { overtakeLoads(.key(key)) }
    return try await line.change { try await base.change(key, change, how) }
  }

  /// Changes many keys, in one turn.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    if case .remove(let keys) = batch { overtakeLoads(TurnScope(keys)) }
    try await line.change { try await base.change(batch, how) }
  }

  /// Returns a page of the keys of the inner store. Each page has a turn of its own.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await line.run { try await base.list(after: cursor, limit: limit) }
  }

  /// Removes entries, in one turn.
  public func clear(_ extent: StoreExtent) async throws {
    if extent == .expired { return try await line.run { try await base.clear(extent) } }
    overtakeLoads(.everything)
    try await line.change { try await base.clear(extent) }
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
      if let stored = try await updateInBase(key, modify) { return stored }
      return try await base.readModifyWrite(
        forKey: key, expiry: { try await storedExpiry($0, forKey: key) }
      ) { value in
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
