// Generated from TypeWrapperStorage+Async.swift by `make twins`.
extension TypeWrapperStorage: SyncStorageAware where Inner: SyncStorageAware {
  /// Returns the decoded entry. Throws `.typeNotMatch` if the bytes cannot be decoded as `Value`.
  @inlinable
  public func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    guard let entry = try inner.read(key, how) else { return nil }
    return try unwrap(entry, forKey: key)
  }

  /// Returns many decoded entries. Throws at the first value that cannot be decoded.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if how.contains(.quietly) { return try readEach(keys, how) }
    var found: [Key: Entry<Value>] = [:]
    for (key, entry) in try inner.read(keys, how) { found[key] = try unwrap(entry, forKey: key) }
    return found
  }

  /// Changes a key as the inner chain does. A value is encoded when a tier first needs its bytes.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try inner.change(key, change.map { wrap($0) }, how)
  }

  /// Changes many keys as the inner chain does.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if try setBytes(of: batch) { return }
    try inner.change(batch.map { wrap($1) }, how)
  }

  /// Returns a page of keys, whatever the types of their values.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try inner.list(after: cursor, limit: limit)
  }

  /// Removes entries, whatever their types.
  public func clear(_ extent: StoreExtent) throws { try inner.clear(extent) }
}

extension TypeWrapperStorage: SyncUpdateableStorage where Inner: SyncUpdateableStorage {
  /// Reads, changes and stores a value as one operation of the inner chain. Returns the stored value. The expiry does
  /// not change.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing changes. If another writer changes the value
  /// meanwhile, `modify` runs again with the new value.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    var changed: Value?
    let stored = try inner.update(forKey: key) { wrapper in
      var object: Value
      do { object = try wrapper.object(as: transformer) } catch { throw unreadable(key, nil, error) }
      try modify(&object)
      wrapper = wrap(object)
      changed = object
    }
    return try changed ?? stored.object(as: transformer)
  }
}
