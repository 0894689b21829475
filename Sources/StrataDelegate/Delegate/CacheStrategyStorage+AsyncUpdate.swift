public import StrataAlgebra

// sync: extension CacheStrategyStorage: SyncUpdateableStorage where Base: SyncStorageAware & SyncUpdateableStorage {
extension CacheStrategyStorage: UpdateableStorage where Base: UpdateableStorage {
  /// Updates a value as an operation of the store, whatever the cache has, and caches the result. If the update throws,
  /// the strategy `cache` forgets the value: the next read sees what the store has.
  @usableFromInline
  package func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    // sync: try updateInTurn(key, modify)
    try await updateForCaller(key, modify)
  }

  func updateInTurn(_ key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    if strategy == .noCache { return try await base.update(forKey: key, modify) }
    return try await changes.withTurn(.key(key)) {
      do {
        let stored = try await base.update(forKey: key, modify)
        let expiry = await expiryInStore(of: key)
        try overtake(.key(key)) {
          // A value that was cached without an end, and has none in the store, still has none.
          let isEndless = try expiry == .never && cache.read(key, .expiryOnly)?.expiry == .never
          try cache.change(
            key, expiry.map { .set(stored, isEndless ? .never : lifetime($0)) } ?? .remove, [])
        }
        return stored
      } catch { throw strategy == .cache ? settling(after: error, { try forget(key) }) : error }
    }
  }

  private func expiryInStore(of key: Key) async -> Expiry? {
    do { return try await finishing { try await base.read(key, .expiryOnly)?.expiry } } catch { return nil }
  }
}
