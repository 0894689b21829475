package import StrataCore

extension LoadingStorage {
  /// Returns what is stored for a key without loading it, and whether it is stale; `nil` if nothing is stored. The
  /// value is `nil` for a remembered absence. The expiry is the end of its freshness.
  package func storedValue(
    forKey key: Key, _ how: How = []
  ) async throws -> (value: Value?, expiry: Expiry, isStale: Bool)? {
    guard let cached = try await storedEntry(forKey: key, how) else { return nil }
    switch try await engine.freshness(of: cached, key) {
    case .fresh, .due: return (cached.value, engine.expiry(of: cached), false)
    case .stale: return (cached.value, engine.expiry(of: cached), true)
    case .gone: return nil
    }
  }

  /// Returns whether the last load of a key failed so recently that `LoadPolicy.retryAfter` keeps the stale value.
  package func isWaitingToRetry(_ key: Key) -> Bool { engine.failures.isWaiting(key, now: engine.now) }
}
