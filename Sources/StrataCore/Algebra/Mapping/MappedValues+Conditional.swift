extension MappedValues: ConditionalStorage where Base: ConditionalStorage {
  @inlinable
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(writing(object, forKey: key), forKey: key, expiry: expiry)
  }
}

extension MappedValues: SyncConditionalStorage where Base: SyncConditionalStorage {
  @inlinable
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(writing(object, forKey: key), forKey: key, expiry: expiry)
  }
}

extension MappedValues: UpdateableStorage where Base: UpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    var changed: Value?
    let stored = try await base.update(forKey: key) { changed = try modified(&$0, forKey: key, by: modify) }
    return try changed ?? mapped(stored, forKey: key, by: mapTo)
  }
}

extension MappedValues: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    var changed: Value?
    let stored = try base.update(forKey: key) { changed = try modified(&$0, forKey: key, by: modify) }
    return try changed ?? mapped(stored, forKey: key, by: mapTo)
  }
}

extension MappedValues {
  /// Maps a value of the inner store, changes it and maps it back. Returns the changed value.
  @inlinable
  func modified(
    _ stored: inout Base.Value, forKey key: Key, by modify: (inout Value) throws -> Void
  ) throws -> Value {
    var value = try mapped(stored, forKey: key, by: mapTo)
    try modify(&value)
    stored = try mapped(value, forKey: key, by: mapFrom)
    return value
  }
}
