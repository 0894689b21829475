import StrataAlgebra

extension CacheStrategyStorage {
  func forget(_ key: Key) throws { try overtake(.key(key)) { try cache.change(key, .remove, []) } }
}

extension CacheStrategyStorage where Base: UpdateableStorage {
  /// Updates a value with a closure that runs in the caller's isolation. If callers without `await` may wait for the
  /// key's turn, it is not held meanwhile: they could hold the threads that the caller's actor needs.
  func updateForCaller(_ key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    if changes.executor == nil || strategy == .noCache { return try await updateInTurn(key, modify) }
    let result = await Result(of: { try await base.update(forKey: key, modify) })
    if case .failure = result, strategy == .cacheOnFailure { return try result.get() }
    try await finishing { try await changes.withTurn(.key(key)) { try forget(key) } }
    return try result.get()
  }
}
