extension StorageAware {
  /// The steps of an update, for a link that has made sure that nobody else writes the key meanwhile. `expiry` says which one the
  /// changed value gets.
  @inlinable
  package func readModifyWrite(
    forKey key: Key, expiry: (Entry<Value>) async throws -> Expiry? = { $0.expiry },
    _ modify: (inout Value) async throws -> Void
  ) async throws -> Value {
    let entry = try await entry(forKey: key)
    if entry.expiry.isExpired(by: clock) { throw StorageError.notFound.with(key: key) }
    var value = entry.object
    try await modify(&value)
    try await setObject(value, forKey: key, expiry: expiry(entry))
    return value
  }
}

extension SyncStorageAware {
  /// The steps of an update, for a link that has made sure that nobody else writes the key meanwhile. `expiry` says which one the
  /// changed value gets.
  @inlinable
  package func readModifyWrite(
    forKey key: Key, expiry: (Entry<Value>) throws -> Expiry? = { $0.expiry },
    _ modify: (inout Value) throws -> Void
  ) throws -> Value {
    let entry = try entry(forKey: key)
    if entry.expiry.isExpired(by: clock) { throw StorageError.notFound.with(key: key) }
    var value = entry.object
    try modify(&value)
    try setObject(value, forKey: key, expiry: expiry(entry))
    return value
  }
}
