extension ReadableStorage {
  /// Reads a value; `nil` where there is none.
  package func valueIfPresent(forKey key: Key) async throws -> Value? {
    do { return try await retrieve(forKey: key) } catch StorageError.notFound { return nil }
  }
}
