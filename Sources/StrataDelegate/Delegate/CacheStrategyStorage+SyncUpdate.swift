// Generated from CacheStrategyStorage+AsyncUpdate.swift by `make twins`.
public import StrataAlgebra

extension CacheStrategyStorage: SyncUpdateableStorage where Base: SyncStorageAware & SyncUpdateableStorage {
  /// Updates a value as an operation of the store, whatever the cache has, and caches the result. If the update throws,
  /// the strategy `cache` forgets the value: the next read sees what the store has.
  @usableFromInline
  package func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try updateInTurn(key, modify)
  }

  func updateInTurn(_ key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    if strategy == .noCache { return try base.update(forKey: key, modify) }
    return try changes.withTurn(.key(key)) {
      do {
        let stored = try base.update(forKey: key, modify)
        let expiry = expiryInStore(of: key)
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

  private func expiryInStore(of key: Key) -> Expiry? {
    do { return try finishing { try base.read(key, .expiryOnly)?.expiry } } catch { return nil }
  }
}
