public import StrataCore

extension Storage {
  /// What is in memory as this type; never waits.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { chain.atHand(key, as: transformer) }

  /// Reads what is stored, or `nil`. It may have expired.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if let entry = chain.live(key, as: transformer) { return entry }
    return try readInTurn(key)
  }

  /// Reads a value; throws `.notFound` where there is none or it has expired. A hit in memory is its own, shortest way.
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

  /// Stores a value: on disk, then in memory. Without an expiry those of the tiers' configurations apply.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try ordered.setObject(object, forKey: key, expiry: expiry)
  }

  /// Stores a changed value in place of one that was read; each tier keeps the expiry that it had.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try ordered.replaceObject(object, forKey: key, expiry: expiry)
  }

  /// Removes what is stored under a key, if anything is.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    overtakeLoads(.key(key))
    try ordered.removeObject(forKey: key)
  }

  /// Removes everything. What is being read at the time does not come back.
  public func removeAll() throws {
    overtakeLoads(.everything)
    try ordered.removeAll()
  }

  /// Removes what has expired.
  public func removeExpiredObjects() throws { try ordered.removeExpiredObjects() }

  /// The keys of all that is stored and has not expired, also after a restart.
  public func keys() throws -> [Key] { try ordered.keys() }

  /// The expiry of what is stored, or `nil`; never decodes the value.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try chain.liveExpiry(key) ?? ordered.expiryIfPresent(forKey: key)
  }

  /// What a read would return, if that can be said without waiting.
  public func entryAtHand(forKey key: Key) -> AtHand<Entry<Value>> { ordered.entryAtHand(forKey: key) }

  /// The expiry of what a read would return, if that can be said without waiting.
  public func expiryAtHand(forKey key: Key) -> AtHand<Expiry> { ordered.expiryAtHand(forKey: key) }

  /// Stores a value if no tier has to wait, nobody uses the key, and nobody observes the store.
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try ordered.setObjectAtOnce(object, forKey: key, expiry: expiry)
  }

  /// Drops a key from memory. The next read finds it in the tier behind.
  public func removeInMemoryObject(forKey key: Key) throws {
    try ordered.removeInMemoryObject(forKey: key)
  }

  /// Reads many keys in one batch; those under which nothing is stored are missing from the answer.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    let (live, others) = chain.split(keys, as: transformer)
    return others.isEmpty ? live : try live.merging(ordered.entries(forKeys: others)) { $1 }
  }

  /// Stores many values in one batch.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try ordered.setObjects(objects, expiry: expiry)
  }

  /// Removes many keys in one batch.
  public func removeObjects(forKeys keys: [Key]) throws {
    overtakeLoads(TurnScope(keys))
    try ordered.removeObjects(forKeys: keys)
  }
}

extension Storage: SyncUpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. `modify` runs while the key is
  /// taken: it may use other keys, but to write this one throws `.deadlock`.
  ///
  /// ```swift
  /// try users.update(forKey: "ada") { $0.visits += 1 }
  /// ```
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try ordered.update(forKey: key, modify)
  }
}
