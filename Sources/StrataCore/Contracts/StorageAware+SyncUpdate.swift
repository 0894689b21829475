// Generated from StorageAware+AsyncUpdate.swift by `make twins`.
extension SyncStorageAware {
  /// Reads, changes and stores a value. The caller, a combinator, must exclude other writes of the key. `expiry`
  /// returns the expiry of the changed value; `nil` stands for the store's default.
  @inlinable
  package func readModifyWrite(
    forKey key: Key, expiry: (Entry<Value>) throws -> Expiry? = { $0.expiry },
    _ modify: (inout Value) throws -> Void
  ) throws -> Value {
    let entry = try entryToChange(forKey: key)
    var value = entry.object
    try modify(&value)
    try replaceObject(value, forKey: key, expiry: expiry(entry))
    return value
  }

  /// Returns the entry of a key. Throws `.notFound` if it is absent or has expired.
  @inlinable
  package func entryToChange(forKey key: Key) throws -> Entry<Value> {
    let entry = try entry(forKey: key)
    if !entry.isLive(by: clock) { throw StorageError.notFound.with(key: key) }
    return entry
  }
}
