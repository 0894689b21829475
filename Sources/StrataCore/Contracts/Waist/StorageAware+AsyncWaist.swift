// The narrow operations of a store that has only the wide ones.
extension StorageAware {
  /// Returns the stored entry of a key, or `nil` if there is none.
  @inlinable
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    // sync: if how.contains(.atOnce) { return try lookedUp(key, how) }
    if how.contains(.atOnce) { return try peeked(key) }
    if how.contains(.expiryOnly) { return try await expiryIfPresent(forKey: key).map { Entry(expiry: $0) } }
    return try await entryIfPresent(forKey: key)
  }

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  @inlinable
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if how.isDisjoint(with: [.quietly, .atOnce, .expiryOnly]) { return try await entries(forKeys: keys) }
    return try await readEach(keys, how)
  }

  @usableFromInline
  package func readEach(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    for key in keys { found[key] = try await read(key, how) }
    return found
  }

  /// Changes one key, and returns whether it was changed.
  @inlinable
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try await changeAnyhow(key, change, how)
  }

  @usableFromInline  // sync: @inlinable
  func changeAnyhow(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    // sync: if how.contains(.atOnce) { return try changeAtOnce(key, change) }
    if how.contains(.atOnce) { throw WouldWait() }
    switch change.kind {
    case .set(let expiry): try await setObject(change.object, forKey: key, expiry: expiry)
    case .replace(let expiry): try await replaceObject(change.object, forKey: key, expiry: expiry)
    case .setIfAbsent, .touch: return try await changeConditionally(key, change)
    case .remove: try await removeObject(forKey: key)
    case .forget: try await removeInMemoryObject(forKey: key)
    }
    return true
  }

  @usableFromInline
  func changeConditionally(_ key: Key, _ change: StoreChange<Value>) async throws -> Bool {
    // A store of another kind than `Self` says may be conditional. Its `change` may be this extension's.
    if let store = asyncConditional {
      switch change.kind {
      case .setIfAbsent(let expiry):
        return try await store.setIfAbsent(change.object, forKey: key, expiry: expiry)
      case .touch(let expiry): return try await store.touch(forKey: key, expiry: expiry)
      case .set, .replace, .remove, .forget: break
      }
    }
    guard let change = try await unconditional(change, forKey: key) else { return false }
    return try await self.change(key, change, [])
  }

  /// Changes many keys.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    // sync: if how.contains(.atOnce), mayBlock { throw WouldWait() }
    if how.contains(.atOnce) { throw WouldWait() }
    switch batch {
    case .set(let objects, let expiry): try await setObjects(objects, expiry: expiry)
    case .setEntries(let entries): try await setEntries(entries)
    case .remove(let keys): try await removeObjects(forKeys: keys)
    }
  }

  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor.
  @inlinable
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    if cursor == nil, limit == .max { return KeyPage(keys: try await keys(), next: nil) }
    return try await keyPage(after: cursor, limit: limit)
  }

  /// Removes all entries, or the expired ones.
  @inlinable
  public func clear(_ extent: StoreExtent) async throws {
    switch extent {
    case .everything: try await removeAll()
    case .expired: try await removeExpiredObjects()
    }
  }
}
