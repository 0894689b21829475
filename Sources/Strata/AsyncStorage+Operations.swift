public import StrataCore

extension AsyncStorage {
  /// Returns the stored entry, or `nil`. It may have expired. Does not suspend if the value is in memory.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if let entry = chain.live(key, as: transformer) { return entry }
    return try await readInTurn(key)
  }

  @usableFromInline
  func readInTurn(_ key: Key) async throws -> Entry<Value>? { try await run(.entryIfPresent(key)) }

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
    guard let entry = try await readInTurn(key), !entry.expiry.isExpired(by: chain.clock) else {
      throw StorageError.notFound.with(key: key)
    }
    return entry.object
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
    try await run(.setObject(object, key, expiry))
  }

  /// Replaces a value that was read by a changed one. Each tier keeps its expiry.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await run(.replaceObject(object, key, expiry))
  }

  /// Removes the value under a key. Does nothing if it is absent.
  @inlinable
  public func removeObject(forKey key: Key) async throws {
    overtakeLoads(key)
    if try inPlace(key, { try $0.removeObject(forKey: key) }) != nil { return }
    try await removeInTurn(key)
  }

  @usableFromInline
  func removeInTurn(_ key: Key) async throws { try await run(.removeObject(key)) }

  @usableFromInline
  func overtakeLoads(_ key: Key) { chain.coordinator.loads.overtake(.key(key)) }

  /// Removes all values. A read in progress does not put its value back.
  public func removeAll() async throws {
    chain.coordinator.loads.overtake(.everything)
    try await run(.removeAll())
  }

  /// Removes all expired values.
  public func removeExpiredObjects() async throws {
    try await run(.removeExpiredObjects(watched: chain.coordinator.observers.watchedKeys))
  }

  /// Returns the keys of all values that have not expired, also after a restart.
  public func keys() async throws -> [Key] { try await run(.keys()) }

  /// Returns at most `limit` keys after a cursor. Iterate with `keyPages`.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await run(.keyPage(cursor, limit))
  }

  /// Returns the expiry of the stored value, or `nil`. Never decodes the value.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    if let expiry = chain.liveExpiry(key) { return expiry }
    return try await run(.expiryIfPresent(key))
  }

  /// Removes a value from memory only. The next read takes it from the next tier.
  public func removeInMemoryObject(forKey key: Key) async throws { try await run(.removeInMemoryObject(key)) }

  /// Returns the entries of several keys, read in one batch. Absent keys are missing from the result.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    let (live, others) = chain.split(keys, as: transformer)
    return others.isEmpty ? live : try await live.merging(run(.entries(others))) { $1 }
  }

  /// Stores several values in one batch.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await run(.setObjects(objects, expiry))
  }

  /// Stores several values, each with its own expiry, in one batch.
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await run(.setEntries(entries)) }

  /// Removes the values of several keys in one batch.
  public func removeObjects(forKeys keys: [Key]) async throws {
    chain.coordinator.loads.overtake(TurnScope(keys))
    try await run(.removeObjects(keys))
  }
}
