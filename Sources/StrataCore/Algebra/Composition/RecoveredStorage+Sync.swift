extension RecoveredStorage: SyncStorageAware where Base: SyncStorageAware, R: SyncRecovery {
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    do {
      if let entry = try base.entryIfPresent(forKey: key).flatMap(live) { return entry }
    } catch {
      try recovery.throwUnlessRecoverable(error)
      return try Entry(object: recovery.value(after: error, forKey: key))
    }
    return try recoveredAbsence(of: key)
  }

  /// Returns the cached entry. If the recovery is needed, returns `.unknown`, so that a read asks for it.
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    guard case .found(let entry) = base.cachedEntry(forKey: key), live(entry) != nil else { return .unknown }
    return .found(entry)
  }
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { base.cachedExpiry(forKey: key) }

  /// Returns many entries, read in one batch. If the batch fails, reads each key alone, since the error may concern
  /// only some of the keys.
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    do { found = try base.entries(forKeys: keys).compactMapValues(live) } catch {
      for key in keys where found[key] == nil { found[key] = try entryIfPresent(forKey: key) }
      return found
    }
    for key in keys where found[key] == nil { found[key] = try recoveredAbsence(of: key) }
    return found
  }

  /// Returns the recovered entry of an absent key, or `nil` if the recovery throws `.notFound`.
  private func recoveredAbsence(of key: Key) throws -> Entry<Value>? {
    do {
      return try Entry(object: recovery.value(after: StorageError.notFound.with(key: key), forKey: key))
    } catch StorageError.notFound {
      return nil
    }
  }

  package func expiryIfPresent(forKey key: Key) throws -> Expiry? { try base.expiryIfPresent(forKey: key) }
  package func keys() throws -> [Key] { try base.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try base.keyPage(after: cursor, limit: limit)
  }
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try base.replaceObject(object, forKey: key, expiry: expiry)
  }
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try base.setObjects(objects, expiry: expiry)
  }
  package func setEntries(_ entries: [Key: Entry<Value>]) throws { try base.setEntries(entries) }
  package func removeObject(forKey key: Key) throws { try base.removeObject(forKey: key) }
  package func removeObjects(forKeys keys: [Key]) throws { try base.removeObjects(forKeys: keys) }
  package func removeInMemoryObject(forKey key: Key) throws { try base.removeInMemoryObject(forKey: key) }
  package func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  package func removeAll() throws { try base.removeAll() }
}

extension RecoveredStorage: SyncNonFallibleStorage where Base: SyncStorageAware, R: SafeSyncRecovery {
  package func retrieve(forKey key: Key) -> Value {
    do { return try base.object(forKey: key) } catch {
      return recovery.value(after: error, forKey: key)
    }
  }
}
