/// Calls a mapping on behalf of an operation on a key.
///
/// What it throws goes through as it is, but for a `StorageError` that knows no key, which learns where it happened.
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

/// Calls a mapping that may suspend on behalf of an operation on a key; see above for what it throws.
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
