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
  public func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if !how.isEmpty { return try readSpecially(key, how) }
    if let entry = chain.live(key, as: transformer) { return entry }
    return try readInTurn(key)
  }

  @usableFromInline
  func readSpecially(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how == .expiryOnly, let expiry = chain.liveExpiry(key) { return Entry(expiry: expiry) }
    return try ordered.read(key, how)
  }

  /// Returns the entries of several keys, read in one batch. Absent keys are missing from the result.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if how == .authoritative { return try ordered.read(keys, how) }
    if !how.isEmpty { return try readEach(keys, how) }
    let (live, others) = chain.split(keys, as: transformer)
    return others.isEmpty ? live : try live.merging(ordered.read(others, how)) { $1 }
  }

  /// Returns the value; throws `.notFound` if it is absent or has expired.
  @inlinable
  public func object(forKey key: Key) throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    guard let object = try readInTurn(key).liveObject(by: chain.clock) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
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

  /// Changes one key, in its turn, and returns whether it was changed.
  ///
  /// A conditional change is atomic among all views of the store in this process. If the last tier is a
  /// `ConditionalStorage`, also among all processes that write to it. A change at once throws `WouldWait` if another
  /// operation has the key's turn, a tier has to wait, or there are observers.
  @inlinable
  @inline(__always)
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    if case .set(let expiry) = change.kind, how.isEmpty {
      try setObject(change.object, forKey: key, expiry: expiry)
      return true
    }
    return try ordered.change(key, change, how)
  }

  /// Changes several keys in one batch.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws { try ordered.change(batch, how) }

  /// Returns at most `limit` keys after a cursor. Iterate with `keyPages` or `forEachKeyPage`.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try ordered.list(after: cursor, limit: limit)
  }

  /// Removes all entries, or the expired ones. A read in progress does not put its value back.
  public func clear(_ extent: StoreExtent) throws { try ordered.clear(extent) }
}

extension Storage: SyncUpdateableStorage {
  /// Reads, changes and stores a value as one operation; returns the new value. Its expiry does not change.
  ///
  /// Throws `.notFound` if the value is absent. If `modify` throws, the value stays as it is. `modify` runs in the
  /// key's turn: it may use other keys, but a write of this key throws `.deadlock`.
  ///
  /// If the last tier is an `UpdateableStorage`, it makes the change: no change of another process is lost, whatever
  /// memory holds. If the value changes meanwhile, `modify` runs again with the new value.
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
