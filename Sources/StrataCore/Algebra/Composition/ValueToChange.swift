/// A store whose `retrieve` may return a default if the store fails. An `update` must not start from such a default.
protocol DefaultingReads<Key, Value>: ReadableStorage {
  /// Returns a value that will be changed and written back. An absent value may have a default; a failure is thrown.
  func valueToChange(forKey key: Key) async throws -> Value
}

extension ReadableStorage {
  /// Returns a value that will be changed and written back.
  func readToChange(forKey key: Key) async throws -> Value {
    // The second cast takes microseconds, also if it fails.
    guard Self.self is any DefaultingReads.Type, let store = self as? any DefaultingReads<Key, Value> else {
      return try await retrieve(forKey: key)
    }
    return try await store.valueToChange(forKey: key)
  }
}

extension RecoveredPlainStorage: DefaultingReads {
  func valueToChange(forKey key: Key) async throws -> Value {
    do { return try await base.readToChange(forKey: key) } catch {
      try recovery.throwUnlessRecoverable(error)
      return try await recovery.value(after: error, forKey: key)
    }
  }
}

extension RecoveredStorage: DefaultingReads {
  func valueToChange(forKey key: Key) async throws -> Value { try await object(forKey: key) }
}

extension OneWayMappedKeys: DefaultingReads
where Base: ReadableStorage, Base.Key == BaseKey, Base.Value == Value {
  func valueToChange(forKey key: Key) async throws -> Value {
    try await base.readToChange(forKey: mapped(key, forKey: key, by: mapping))
  }
}

extension MappedValues: DefaultingReads {
  func valueToChange(forKey key: Key) async throws -> Value {
    try await mapped(base.readToChange(forKey: key), forKey: key, by: mapTo)
  }
}

extension AsyncMappedValues: DefaultingReads {
  func valueToChange(forKey key: Key) async throws -> Value {
    try await mapped(base.readToChange(forKey: key), forKey: key, by: mapTo)
  }
}

extension ComposedStorage: DefaultingReads {
  func valueToChange(forKey key: Key) async throws -> Value { try await readable.readToChange(forKey: key) }
}

extension ZippedPlainStorage: DefaultingReads {
  func valueToChange(forKey key: Key) async throws -> Value {
    (
      try await readable.first.readToChange(forKey: key), try await readable.second.readToChange(forKey: key)
    )
  }
}
