// Generated from RecoveredStorage+Async.swift by `make twins`.
package import StrataCore

extension RecoveredStorage: SyncStorageAware, SyncStorageLink
where Base: SyncStorageAware, R: SyncRecovery {
  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if !how.isDisjoint(with: [.quietly, .expiryOnly]) { return try base.read(key, how) }
    do {
      if let entry = try base.read(key, how).live(by: clock) { return entry }
    } catch  where !how.contains(.atOnce) {
      try recovery.throwUnlessRecoverable(error)
      return try Entry(object: recovery.value(after: error, forKey: key))
    }
    // To recover may take long.
    if how.contains(.atOnce) { throw WouldWait() }
    return try recoveredAbsence(of: key)
  }

  /// Returns a value, recovering from any error.
  package func retrieve(forKey key: Key) throws -> Value {
    do { return try base.object(forKey: key) } catch {
      try recovery.throwBeforeChange(error)
      return try recovery.value(after: error, forKey: key)
    }
  }

  /// Returns many entries, read in one batch. If the batch fails, reads each key alone, since the error may concern
  /// only some of the keys.
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if !how.allowsBatch { return try base.read(keys, how) }
    var found: [Key: Entry<Value>] = [:]
    do { found = try base.read(keys, how).filter { $0.value.isLive(by: clock) } } catch {
      for key in keys where found[key] == nil { found[key] = try read(key, how) }
      return found
    }
    for key in keys where found[key] == nil { found[key] = try recoveredAbsence(of: key) }
    return found
  }

  /// Returns the recovered entry of an absent key, or `nil` if the recovery throws `.notFound`.
  func recoveredAbsence(of key: Key) throws -> Entry<Value>? {
    do {
      let object = try recovery.value(after: StorageError.notFound.with(key: key), forKey: key)
      return Entry(object: object)
    } catch StorageError.notFound {
      return nil
    }
  }
}

extension RecoveredStorage: SyncNonFallibleStorage
where Base: SyncStorageAware, R: SyncRecovery, R.Failure == Never {
  package func retrieve(forKey key: Key) -> Value {
    do { return try base.object(forKey: key) } catch {
      return recovery.value(after: error, forKey: key)
    }
  }
}
