extension SerialStorage: SyncStorageAware where Base: SyncStorageAware {
  /// Reads what is stored, or `nil`, when its turn has come.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try line.runBlocking { try base.entryIfPresent(forKey: key) }
  }

  /// Stores a value when its turn has come.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try line.runBlocking { try base.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores a changed value as the store below does, when its turn has come.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try line.runBlocking { try base.replaceObject(object, forKey: key, expiry: expiry) }
  }

  /// Removes what is stored under a key when its turn has come.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    try line.runBlocking { try base.removeObject(forKey: key) }
  }

  /// Removes everything when its turn has come.
  public func removeAll() throws { try line.runBlocking { try base.removeAll() } }

  /// Removes what has expired when its turn has come.
  public func removeExpiredObjects() throws {
    try line.runBlocking { try base.removeExpiredObjects() }
  }

  /// The keys of all that is stored, when its turn has come.
  public func keys() throws -> [Key] { try line.runBlocking { try base.keys() } }

  /// The expiry of what is stored, or `nil`, when its turn has come.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try line.runBlocking { try base.expiryIfPresent(forKey: key) }
  }

  /// Forgets what memory holds of a key when its turn has come.
  public func removeInMemoryObject(forKey key: Key) throws {
    try line.runBlocking { try base.removeInMemoryObject(forKey: key) }
  }

  /// Reads many keys in one turn.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try line.runBlocking { try base.entries(forKeys: keys) }
  }

  /// Stores many values in one turn.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try line.runBlocking { try base.setObjects(objects, expiry: expiry) }
  }

  /// Removes many keys in one turn.
  public func removeObjects(forKeys keys: [Key]) throws {
    try line.runBlocking { try base.removeObjects(forKeys: keys) }
  }

  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try line.runBlocking {
      try base.readModifyWrite(forKey: key, expiry: { try storedExpiry($0, forKey: key) }) { value in
        try modify(&value)
      }
    }
  }

  /// The expiry that an entry is stored with. One that stands in for what is not stored, as `defaulting(to:)` reads it,
  /// has none: the store's own is to apply.
  @inlinable
  func storedExpiry(_ entry: Entry<Value>, forKey key: Key) throws -> Expiry? {
    guard entry.expiry == .never else { return entry.expiry }
    return try base.expiryIfPresent(forKey: key) == .never ? .never : nil
  }
}
