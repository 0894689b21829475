// Generated from StorageAware+AsyncWaist.swift by `make twins`.
// The narrow operations of a store that has only the wide ones.
extension SyncStorageAware {
  /// Returns the stored entry of a key, or `nil` if there is none.
  @inlinable
  public func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.atOnce) { return try lookedUp(key, how) }
    if how.contains(.expiryOnly) { return try expiryIfPresent(forKey: key).map { Entry(expiry: $0) } }
    return try entryIfPresent(forKey: key)
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if how.isDisjoint(with: [.quietly, .atOnce, .expiryOnly]) { return try entries(forKeys: keys) }
    return try readEach(keys, how)
  }

  @usableFromInline
  package func readEach(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try read(key, how) }
    return found
  }

  /// Changes one key, and returns whether it was changed.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try changeAnyhow(key, change, how)
  }

  @inlinable
  func changeAnyhow(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    if how.contains(.atOnce) { return try changeAtOnce(key, change) }
    switch change.kind {
    case .set(let expiry): try setObject(change.object, forKey: key, expiry: expiry)
    case .replace(let expiry): try replaceObject(change.object, forKey: key, expiry: expiry)
    case .setIfAbsent, .touch: return try changeConditionally(key, change)
    case .remove: try removeObject(forKey: key)
    case .forget: try removeInMemoryObject(forKey: key)
    }
    return true
  }

  @usableFromInline
  func changeConditionally(_ key: Key, _ change: StoreChange<Value>) throws -> Bool {
    // A store of another kind than `Self` says may be conditional. Its `change` may be this extension's.
    if let store = syncConditional {
      switch change.kind {
      case .setIfAbsent(let expiry):
        return try store.setIfAbsent(change.object, forKey: key, expiry: expiry)
      case .touch(let expiry): return try store.touch(forKey: key, expiry: expiry)
      case .set, .replace, .remove, .forget: break
      }
    }
    guard let change = try unconditional(change, forKey: key) else { return false }
    return try self.change(key, change, [])
  }

  /// Changes many keys.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if how.contains(.atOnce), mayBlock { throw WouldWait() }
    switch batch {
    case .set(let objects, let expiry): try setObjects(objects, expiry: expiry)
    case .setEntries(let entries): try setEntries(entries)
    case .remove(let keys): try removeObjects(forKeys: keys)
    }
  }

  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor.
  @inlinable
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if cursor == nil, limit == .max { return KeyPage(keys: try keys(), next: nil) }
    return try keyPage(after: cursor, limit: limit)
  }

  /// Removes all entries, or the expired ones.
  @inlinable
  public func clear(_ extent: StoreExtent) throws {
    switch extent {
    case .everything: try removeAll()
    case .expired: try removeExpiredObjects()
    }
  }
}
