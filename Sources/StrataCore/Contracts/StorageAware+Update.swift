extension StorageAware {
  /// The steps of an update, for a link that has made sure that nobody else writes the key meanwhile.
  package func readModifyWrite(
    forKey key: Key, _ modify: (inout Value) throws -> Void
  ) async throws -> Value {
    let entry = try await entry(forKey: key)
    let changed = try entry.changed(forKey: key, by: clock, modify)
    try await setObject(changed, forKey: key, expiry: entry.expiry)
    return changed
  }
}

extension SyncStorageAware {
  /// The steps of an update, for a link that has made sure that nobody else writes the key meanwhile.
  package func readModifyWrite(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    let entry = try entry(forKey: key)
    let changed = try entry.changed(forKey: key, by: clock, modify)
    try setObject(changed, forKey: key, expiry: entry.expiry)
    return changed
  }
}

extension Entry {
  fileprivate func changed(
    forKey key: some Sendable, by clock: StorageClock, _ modify: (inout Value) throws -> Void
  ) throws -> Value {
    if expiry.isExpired(by: clock) { throw StorageError.notFound.with(key: key) }
    var value = object
    try modify(&value)
    return value
  }
}
