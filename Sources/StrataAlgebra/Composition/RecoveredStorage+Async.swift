package import StrataCore

// sync: extension RecoveredStorage: SyncStorageAware, SyncStorageLink
// sync: where Base: SyncStorageAware, R: SyncRecovery {
extension RecoveredStorage {
  package func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if !how.isDisjoint(with: [.quietly, .expiryOnly]) { return try await base.read(key, how) }
    do {
      if let entry = try await base.read(key, how).live(by: clock) { return entry }
    } catch  where !how.contains(.atOnce) {
      try recovery.throwUnlessRecoverable(error)
      return try await Entry(object: recovery.value(after: error, forKey: key))
    }
    // To recover may take long.
    if how.contains(.atOnce) { throw WouldWait() }
    return try await recoveredAbsence(of: key)
  }

  /// Returns a value, recovering from any error.
  package func retrieve(forKey key: Key) async throws -> Value {
    do { return try await base.object(forKey: key) } catch {
      try recovery.throwBeforeChange(error)
      return try await recovery.value(after: error, forKey: key)
    }
  }

  /// Returns many entries, read in one batch. If the batch fails, reads each key alone, since the error may concern
  /// only some of the keys.
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if !how.allowsBatch { return try await base.read(keys, how) }
    var found: [Key: Entry<Value>] = [:]
    do { found = try await base.read(keys, how).filter { $0.value.isLive(by: clock) } } catch {
      for key in keys where found[key] == nil { found[key] = try await read(key, how) }
      return found
    }
    for key in keys where found[key] == nil { found[key] = try await recoveredAbsence(of: key) }
    return found
  }

  /// Returns the recovered entry of an absent key, or `nil` if the recovery throws `.notFound`.
  func recoveredAbsence(of key: Key) async throws -> Entry<Value>? {
    do {
      let object = try await recovery.value(after: StorageError.notFound.with(key: key), forKey: key)
      return Entry(object: object)
    } catch StorageError.notFound {
      return nil
    }
  }
}

// sync: extension RecoveredStorage: SyncNonFallibleStorage
// sync: where Base: SyncStorageAware, R: SyncRecovery, R.Failure == Never {
extension RecoveredStorage: NonFallibleStorage where R.Failure == Never {
  package func retrieve(forKey key: Key) async -> Value {
    do { return try await base.object(forKey: key) } catch {
      return await recovery.value(after: error, forKey: key)
    }
  }
}
