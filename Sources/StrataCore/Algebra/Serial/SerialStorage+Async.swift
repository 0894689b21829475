extension SerialStorage {
  /// Reads what is stored, or `nil`, when its turn has come.
  @inlinable
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await line.run { try await base.entryIfPresent(forKey: key) }
  }

  /// Stores a value when its turn has come.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await line.run { try await base.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores a changed value as the store below does, when its turn has come.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await line.run { try await base.replaceObject(object, forKey: key, expiry: expiry) }
  }

  /// Removes what is stored under a key when its turn has come.
  @inlinable
  public func removeObject(forKey key: Key) async throws {
    try await line.run { try await base.removeObject(forKey: key) }
  }

  /// Removes everything when its turn has come.
  public func removeAll() async throws { try await line.run { try await base.removeAll() } }

  /// Removes what has expired when its turn has come.
  public func removeExpiredObjects() async throws {
    try await line.run { try await base.removeExpiredObjects() }
  }

  /// The keys of all that is stored, when its turn has come.
  public func keys() async throws -> [Key] { try await line.run { try await base.keys() } }

  /// The expiry of what is stored, or `nil`, when its turn has come.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await line.run { try await base.expiryIfPresent(forKey: key) }
  }

  /// Forgets what memory holds of a key when its turn has come.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await line.run { try await base.removeInMemoryObject(forKey: key) }
  }

  /// Reads many keys in one turn.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await line.run { try await base.entries(forKeys: keys) }
  }

  /// Stores many values in one turn.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await line.run { try await base.setObjects(objects, expiry: expiry) }
  }

  /// Removes many keys in one turn.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await line.run { try await base.removeObjects(forKeys: keys) }
  }
}

extension SerialStorage: UpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await line.run {
      try await base.readModifyWrite(forKey: key, expiry: { try await storedExpiry($0, forKey: key) }) {
        value in
        try line.holding { try modify(&value) }
      }
    }
  }

  /// The same with a closure that may suspend. The store waits for it meanwhile, whatever the key.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) async throws -> Void) async throws -> Value {
    try await line.run {
      try await base.readModifyWrite(
        forKey: key, expiry: { try await storedExpiry($0, forKey: key) }
      ) { value in
        try await OngoingOperation.run { try await modify(&value) }
      }
    }
  }

  /// The expiry that an entry is stored with. One that stands in for what is not stored, as `defaulting(to:)` reads it,
  /// has none: the store's own is to apply.
  @inlinable
  func storedExpiry(_ entry: Entry<Value>, forKey key: Key) async throws -> Expiry? {
    guard entry.expiry == .never else { return entry.expiry }
    return try await base.expiryIfPresent(forKey: key) == .never ? .never : nil
  }
}
