extension StorageAware {
  /// Reads, changes and stores a value. The caller, a combinator, must exclude other writes of the key. `expiry`
  /// returns the expiry of the changed value; `nil` stands for the store's default.
  @inlinable
  package func readModifyWrite(
    forKey key: Key, expiry: (Entry<Value>) async throws -> Expiry? = { $0.expiry },
    _ modify: (inout Value) async throws -> Void
  ) async throws -> Value {
    let entry = try await entryToChange(forKey: key)
    var value = entry.object
    try await modify(&value)
    try await replaceObject(value, forKey: key, expiry: expiry(entry))
    return value
  }

  /// Returns the entry of a key. Throws `.notFound` if it is absent or has expired.
  @inlinable
  package func entryToChange(forKey key: Key) async throws -> Entry<Value> {
    let entry = try await entry(forKey: key)
    if !entry.isLive(by: clock) { throw StorageError.notFound.with(key: key) }
    return entry
  }
}
