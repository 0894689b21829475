extension ReadableStorage {
  /// Returns a value, or `nil` if there is none.
  package func valueIfPresent(forKey key: Key) async throws -> Value? {
    do { return try await retrieve(forKey: key) } catch StorageError.notFound { return nil }
  }
}
