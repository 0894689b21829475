extension RecoveredStorage {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    do {
      if let entry = try await base.entryIfPresent(forKey: key).flatMap(live) { return entry }
    } catch {
      try recovery.throwUnlessRecoverable(error)
      return try await Entry(object: recovery.value(after: error, forKey: key))
    }
    return try await recoveredAbsence(of: key)
  }

  /// Returns a value, recovering from any error.
  package func retrieve(forKey key: Key) async throws -> Value {
    do { return try await base.object(forKey: key) } catch {
      return try await recovery.value(after: error, forKey: key)
    }
  }

  /// Returns many entries, read in one batch. If the batch fails, reads each key alone, since the error may concern
  /// only some of the keys.
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    do { found = try await base.entries(forKeys: keys).compactMapValues(live) } catch {
      for key in keys where found[key] == nil { found[key] = try await entryIfPresent(forKey: key) }
      return found
    }
    for key in keys where found[key] == nil { found[key] = try await recoveredAbsence(of: key) }
    return found
  }

  /// Returns the recovered entry of an absent key, or `nil` if the recovery throws `.notFound`.
  private func recoveredAbsence(of key: Key) async throws -> Entry<Value>? {
    do {
      return try await Entry(
        object: recovery.value(after: StorageError.notFound.with(key: key), forKey: key))
    } catch StorageError.notFound {
      return nil
    }
  }

  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }
  package func keys() async throws -> [Key] { try await base.keys() }

  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit)
  }
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.replaceObject(object, forKey: key, expiry: expiry)
  }
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await base.setObjects(objects, expiry: expiry)
  }
  package func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await base.setEntries(entries) }
  package func removeObject(forKey key: Key) async throws { try await base.removeObject(forKey: key) }
  package func removeObjects(forKeys keys: [Key]) async throws { try await base.removeObjects(forKeys: keys) }
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await base.removeInMemoryObject(forKey: key)
  }
  package func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  package func removeAll() async throws { try await base.removeAll() }
}

extension RecoveredStorage: NonFallibleStorage where R: SafeRecovery {
  package func retrieve(forKey key: Key) async -> Value {
    do { return try await base.object(forKey: key) } catch {
      return await recovery.value(after: error, forKey: key)
    }
  }
}
