public import StrataCore

extension AsyncStorage {
  /// Reads what is stored, or `nil`. It may have expired. What is in memory is answered without suspending.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if let entry = chain.live(key, as: transformer) { return entry }
    return try await readInTurn(key)
  }

  @usableFromInline
  func readInTurn(_ key: Key) async throws -> Entry<Value>? { try await run(.entryIfPresent(key)) }

  /// Runs an operation on one key where the caller is, in a chain that never blocks, if nobody has the key; `nil` if it
  /// has to wait.
  @inlinable
  func inPlace<R>(
    _ key: Key, _ operation: (borrowing TypeWrapperStorage<ObservedStorage<Key>, Value>) throws -> R
  ) throws -> R? {
    guard isBrief, let ordered else { return nil }
    return try ordered.ifFree(key, operation)
  }

  /// Reads a value; throws `.notFound` where there is none or it has expired.
  @inlinable
  public func object(forKey key: Key) async throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    guard let entry = try await readInTurn(key), !entry.expiry.isExpired(by: chain.clock) else {
      throw StorageError.notFound.with(key: key)
    }
    return entry.object
  }

  /// Stores a value: in the last tier first, in memory at the end. Without an expiry those of the tiers apply.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    if try inPlace(key, { try $0.setObject(object, forKey: key, expiry: expiry) }) != nil { return }
    // Its own transformer: that of a confidential chain tells nothing of the value.
    guard let ordered, !isBrief else { return try await setInTurn(object, key, expiry) }
    let wrapper = TypeWrapper.holding(object, transformer: ordered.inner.transformer)
    if try storeAtOnce(wrapper, key, expiry) { return }
    try await storeInTurn(wrapper, key, expiry)
  }

  @usableFromInline
  func setInTurn(_ object: Value, _ key: Key, _ expiry: Expiry?) async throws {
    try await run(.setObject(object, key, expiry))
  }

  /// Stores a changed value in place of one that was read; each tier keeps the expiry that it had.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await run(.replaceObject(object, key, expiry))
  }

  /// Removes what is stored under a key, if anything is.
  @inlinable
  public func removeObject(forKey key: Key) async throws {
    overtakeLoads(key)
    if try inPlace(key, { try $0.removeObject(forKey: key) }) != nil { return }
    try await removeInTurn(key)
  }

  @usableFromInline
  func removeInTurn(_ key: Key) async throws { try await run(.removeObject(key)) }

  @usableFromInline
  func overtakeLoads(_ key: Key) { chain.hub.loads.overtake(.key(key)) }

  /// Removes everything. What is being read at the time does not come back.
  public func removeAll() async throws {
    chain.hub.loads.overtake(.everything)
    try await run(.removeAll())
  }

  /// Removes what has expired.
  public func removeExpiredObjects() async throws {
    try await run(.removeExpiredObjects(watched: chain.hub.observers.watchedKeys))
  }

  /// The keys of all that is stored and has not expired, also after a restart.
  public func keys() async throws -> [Key] { try await run(.keys()) }

  /// The expiry of what is stored, or `nil`; never decodes the value.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    if let expiry = chain.liveExpiry(key) { return expiry }
    return try await run(.expiryIfPresent(key))
  }

  /// Drops a key from memory. The next read finds it in the tier behind.
  public func removeInMemoryObject(forKey key: Key) async throws { try await run(.removeInMemoryObject(key)) }

  /// Reads many keys in one batch; those under which nothing is stored are missing from the answer.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    let (live, others) = chain.split(keys, as: transformer)
    return others.isEmpty ? live : try await live.merging(run(.entries(others))) { $1 }
  }

  /// Stores many values in one batch.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await run(.setObjects(objects, expiry))
  }

  /// Removes many keys in one batch.
  public func removeObjects(forKeys keys: [Key]) async throws {
    chain.hub.loads.overtake(TurnScope(keys))
    try await run(.removeObjects(keys))
  }
}
