extension TypeWrapperStorage: SyncStorageAware where Inner: SyncStorageAware {
  /// Reads and decodes; throws `.typeNotMatch` where the bytes are no `Value`.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try inner.entryIfPresent(forKey: key).map { try unwrap($0, forKey: key) }
  }

  /// Stores a value; it is encoded when a tier first needs its bytes.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try inner.setObject(wrap(object), forKey: key, expiry: expiry)
  }

  /// Stores a changed value as the chain below does.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try inner.replaceObject(wrap(object), forKey: key, expiry: expiry)
  }

  /// Removes what is stored under a key, whatever its type.
  @inlinable
  public func removeObject(forKey key: Key) throws { try inner.removeObject(forKey: key) }

  /// Removes everything, whatever its type.
  public func removeAll() throws { try inner.removeAll() }

  /// Removes what has expired, whatever its type.
  public func removeExpiredObjects() throws { try inner.removeExpiredObjects() }

  /// All keys, whatever the type of their values.
  public func keys() throws -> [Key] { try inner.keys() }

  /// The expiry of what is stored, without decoding it.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try inner.expiryIfPresent(forKey: key)
  }

  /// What is at hand below, decoded. Whether and why it cannot be decoded, a read tells.
  public func entryAtHand(forKey key: Key) -> AtHand<Entry<Value>> {
    AtHand { try inner.entryAtHand(forKey: key).get().map { try unwrap($0, forKey: key) } }
  }

  /// The expiry of what is at hand below, without decoding it.
  public func expiryAtHand(forKey key: Key) -> AtHand<Expiry> { inner.expiryAtHand(forKey: key) }

  /// Stores a value if the chain below need not wait.
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try inner.setObjectAtOnce(wrap(object), forKey: key, expiry: expiry)
  }

  /// Forgets what memory holds of a key.
  public func removeInMemoryObject(forKey key: Key) throws {
    try inner.removeInMemoryObject(forKey: key)
  }

  /// Reads and decodes many; throws at the first that cannot be decoded.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for (key, entry) in try inner.entries(forKeys: keys) { found[key] = try unwrap(entry, forKey: key) }
    return found
  }

  /// Stores many values as the chain below does.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try inner.setObjects(objects.mapValues(wrap), expiry: expiry)
  }

  /// Removes many as the chain below does.
  public func removeObjects(forKeys keys: [Key]) throws { try inner.removeObjects(forKeys: keys) }
}
