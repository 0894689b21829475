extension RecoveredStorage: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware, R: SyncRecovery {
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    do {
      if let entry = try base.entryIfPresent(forKey: key).flatMap(live) { return entry }
    } catch {
      try recovery.throwUnlessRecoverable(error)
      return try Entry(object: recovery.value(after: error, forKey: key))
    }
    return try recoveredAbsence(of: key)
  }

  /// Returns the cached entry. If the recovery is needed, returns `.unknown`, so that a read performs it.
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    guard case .found(let entry) = base.cachedEntry(forKey: key), live(entry) != nil else { return .unknown }
    return .found(entry)
  }

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
}

extension RecoveredStorage: SyncNonFallibleStorage where Base: SyncStorageAware, R: SafeSyncRecovery {
  package func retrieve(forKey key: Key) -> Value {
    do { return try base.object(forKey: key) } catch {
      return recovery.value(after: error, forKey: key)
    }
  }
}
