public import StrataCore

/// Calls a mapping for an operation on a key.
///
/// Errors are rethrown unchanged, but a `StorageError` without a key gets the key and the location.
@inlinable
func mapped<Value, U>(
  _ value: Value, forKey key: some Sendable, in place: String? = nil, by mapping: (Value) throws -> U
) throws -> U {
  do {
    return try mapping(value)
  } catch let error as StorageError where error.key == nil {
    throw error.with(key: key, place: place)
  }
}

/// Calls a mapping that may suspend, for an operation on a key. Errors are rethrown unchanged, but a `StorageError`
/// without a key gets the key and the location.
@inlinable
func mapped<Value, U>(
  _ value: Value, forKey key: some Sendable, in place: String? = nil, by mapping: (Value) async throws -> U
) async throws -> U {
  do {
    return try await mapping(value)
  } catch let error as StorageError where error.key == nil {
    throw error.with(key: key, place: place)
  }
}
