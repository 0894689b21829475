public import StrataCore

extension AsyncStorage {
  /// Returns the stored entry, or `nil`. It may have expired. Does not suspend if the value is in memory.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if !how.isEmpty { return try await readSpecially(key, how) }
    if let entry = chain.live(key, as: transformer) { return entry }
    return try await readInTurn(key)
  }

  @usableFromInline
  func readInTurn(_ key: Key) async throws -> Entry<Value>? { try await run(.read(key)) }

  @usableFromInline
  func readSpecially(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.atOnce) { return try peeked(key) }
    if how == .expiryOnly, let expiry = chain.liveExpiry(key) { return Entry(expiry: expiry) }
    return try await run(.read(key, how))
  }

  /// Returns the entries of several keys, read in one batch. Absent keys are missing from the result.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if how == .authoritative { return try await run(.read(keys, how)) }
    if !how.isEmpty { return try await readEach(keys, how) }
    let (live, others) = chain.split(keys, as: transformer)
    return others.isEmpty ? live : try await live.merging(run(.read(others))) { $1 }
  }

  /// Runs an operation on one key in place, in a chain that never blocks, if no other operation has the key's turn.
  /// Returns `nil` if it has to wait.
  @inlinable
  func inPlace<R>(
    _ key: Key, _ operation: (borrowing TypeWrapperStorage<ObservedStorage<Key>, Value>) throws -> R
  ) throws -> R? {
    guard isBrief, let ordered else { return nil }
    return try ordered.ifFree(key, operation)
  }

  /// Returns the value; throws `.notFound` if it is absent or has expired.
  @inlinable
  @inline(__always)
  public func object(forKey key: Key) async throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    return try await objectInTurn(key)
  }

  @usableFromInline
  func objectInTurn(_ key: Key) async throws -> Value {
    guard let object = try await readInTurn(key).liveObject(by: chain.clock) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
  }

  /// Changes one key, in its turn, and returns whether it was changed. A change at once always throws `WouldWait`.
  ///
  /// A conditional change is atomic among all views of the store in this process. If the last tier is a
  /// `ConditionalStorage`, also among all processes and machines that write to it.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if case .set(let expiry) = change.kind, how.isEmpty {
      try await setObject(change.object, forKey: key, expiry: expiry)
      return true
    }
    return try await changeInTurn(key, change, how)
  }

  @usableFromInline
  func changeInTurn(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if how.contains(.atOnce) { throw WouldWait() }
    if case .remove = change.kind { chain.coordinator.loads.overtake(.key(key)) }
    if let isMade = try inPlace(key, { try $0.change(key, change, []) }) { return isMade }
    return try await run(.change(key, change))
  }

  /// Changes several keys in one batch.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    if case .remove(let keys) = batch { chain.coordinator.loads.overtake(TurnScope(keys)) }
    try await run(.change(batch))
  }

  /// Stores a value: in the last tier first, then in memory. Each tier applies its own expiry.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key) async throws {
    try await setObject(object, forKey: key, expiry: nil)
  }

  /// Stores a value: in the last tier first, then in memory. Without an expiry, each tier applies its own.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    if expiry == nil, let soleTier {
      let wrapper = soleTier.maker.wrapper(object)
      if try soleTier.overwrite(wrapper, key) { return }
      let stored: Void? = try ordered?.ifFree(key) {
        try $0.inner.setObject(wrapper, forKey: key, expiry: nil)
      }
      if stored != nil { return }
    } else if try inPlace(key, { try $0.setObject(object, forKey: key, expiry: expiry) }) != nil {
      return
    }
    // The chain's own transformer is used: in a confidential chain, its errors do not quote the value.
    guard let ordered, !isBrief else { return try await setInTurn(object, key, expiry) }
    let wrapper = TypeWrapper.holding(object, transformer: ordered.inner.transformer)
    if try storeAtOnce(wrapper, key, expiry) { return }
    try await storeInTurn(wrapper, key, expiry)
  }

  @usableFromInline
  func setInTurn(_ object: Value, _ key: Key, _ expiry: Expiry?) async throws {
    _ = try await run(.change(key, .set(object, expiry)))
  }

  /// Removes all entries, or the expired ones. A read in progress does not put its value back.
  public func clear(_ extent: StoreExtent) async throws {
    if case .everything = extent { chain.coordinator.loads.overtake(.everything) }
    try await run(.clear(extent, watched: chain.coordinator.observers.watchedKeys))
  }

  /// Returns at most `limit` keys after a cursor. Iterate with `keyPages`.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await run(.list(cursor, limit))
  }

  /// Returns all values that have not expired.
  public func allObjects() async throws -> [Value] { try await run(.allObjects()) }
}
