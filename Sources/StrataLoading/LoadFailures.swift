import StrataCore

/// The keys whose last load failed or timed out, and when each may be tried again.
final class LoadFailures<Key: Hashable & Sendable>: Sendable {
  private struct Failure: Sendable {
    var count: Int
    /// The last load that failed: it counts once, even if several callers stop waiting before it ends.
    var load: FlightID
    /// Seconds since the reference date.
    var retry: Double
  }

  private let failures = Locked<[Key: Failure]>([:])

  /// The maximum number of keys. Beyond it, keys that may be tried again are dropped.
  static var limit: Int { 100_000 }

  /// Returns the number of consecutive failed loads of a key.
  func count(_ key: Key) -> Int { failures.withLock { $0[key]?.count ?? 0 } }

  /// Returns whether it is too early to load a key again.
  func isWaiting(_ key: Key, now: Double) -> Bool {
    failures.withLock { failures in
      guard !failures.isEmpty, let failure = failures[key] else { return false }
      return now < failure.retry
    }
  }

  /// Records that a load has failed or timed out. Returns `false` if the same load is recorded already.
  @discardableResult
  func add(_ key: Key, _ load: FlightID, now: Double, _ backoff: Backoff) -> Bool {
    failures.withLock { failures in
      if failures.count >= Self.limit, failures[key] == nil {
        failures = failures.filter { $0.value.retry > now }
        if failures.count >= Self.limit { failures = [:] }
      }
      let last = failures[key]
      let isNew = last?.load != load
      let count = (last?.count ?? 0) + (isNew ? 1 : 0)
      let delay = backoff.delay(afterFailures: count, random: .random(in: 0...1)).inSeconds
      failures[key] = Failure(count: count, load: load, retry: now + delay)
      return isNew
    }
  }

  func clear(_ key: Key) {
    failures.withLock { failures in
      if !failures.isEmpty { failures[key] = nil }
    }
  }

  func clear() { failures.withLock { $0 = [:] } }
}
