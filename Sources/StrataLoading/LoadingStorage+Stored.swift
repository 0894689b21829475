extension LoadingStorage {
  /// Returns what is stored for a key and whether it is stale, without loading; `nil` if nothing is stored. The value is
  /// `nil` for a remembered absence.
  package func storedValue(forKey key: Key) async throws -> (value: Value?, isStale: Bool)? {
    guard let cached = try await storedEntry(forKey: key) else { return nil }
    switch try await engine.freshness(of: cached, key) {
    case .fresh, .due: return (cached.value, false)
    case .stale: return (cached.value, true)
    case .gone: return nil
    }
  }

  /// Returns whether the last load of a key failed so recently that `LoadPolicy.retryAfter` keeps the stale value.
  package func isWaitingToRetry(_ key: Key) -> Bool { engine.failures.isWaiting(key, now: engine.now) }
}
