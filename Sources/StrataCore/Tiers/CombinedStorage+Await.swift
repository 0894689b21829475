extension CombinedStorage where Back: UpdateableStorage {
  /// Updates a value with a closure that runs in the caller's isolation.
  ///
  /// If callers without `await` may wait for the key's turn, it is not held while the closure runs: they could hold the
  /// threads that the caller's actor needs. The back's operation is atomic without it. The front then drops the key.
  @usableFromInline
  func updateForCaller(
    _ key: Key, _ agreement: (Value, Value) -> TierAgreement, _ modify: (inout Value) throws -> Void
  ) async throws -> Value {
    if order.executor == nil {
      return try await order.withTurn(of: key, []) { try await updateInTurn(key, agreement, modify) }
    }
    let result = await Result(of: { try await back.update(forKey: key, modify) })
    try await finishing {
      try await order.withTurn(of: key, []) {
        fills.overtake(key)
        try await front.base.change(key, .remove, [])
      }
    }
    return try result.get()
  }
}
