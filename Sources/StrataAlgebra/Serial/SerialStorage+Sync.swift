// Generated from SerialStorage+Async.swift by `make twins`.
public import StrataCore

extension SerialStorage: SyncStorageAware where Base: SyncStorageAware {
  /// Returns the stored entry, in its turn, or `nil` if there is none.
  @inlinable
  public func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return try base.read(key, how) }
    if how.contains(.atOnce) { return try peeked(key) }
    return try line.run { try base.read(key, how) }
  }

  /// Returns the entries of many keys, in one turn.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if !how.isDisjoint(with: [.quietly, .atOnce]) { return try readEach(keys, how) }
    return try line.run { try base.read(keys, how) }
  }

  /// Changes a key, in its turn.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    if how.contains(.atOnce) { throw WouldWait() }
    if case .remove = change.kind { overtakeLoads(.key(key)) }
    return try line.change { try base.change(key, change, how) }
  }

  /// Changes many keys, in one turn.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if how.contains(.atOnce) { throw WouldWait() }
    if case .remove(let keys) = batch { overtakeLoads(TurnScope(keys)) }
    try line.change { try base.change(batch, how) }
  }

  /// Returns a page of the keys of the inner store. Each page has a turn of its own.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try line.run { try base.list(after: cursor, limit: limit) }
  }

  /// Removes entries, in one turn.
  public func clear(_ extent: StoreExtent) throws {
    if extent == .expired { return try line.run { try base.clear(extent) } }
    overtakeLoads(.everything)
    try line.change { try base.clear(extent) }
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
      if let stored = try updateInBase(key, modify) { return stored }
      return try base.readModifyWrite(
        forKey: key, expiry: { try storedExpiry($0, forKey: key) }
      ) { value in
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
