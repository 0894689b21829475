import StrataCore

/// The keys whose last load failed or timed out, and when each may be tried again.
final class LoadFailures<Key: Hashable & Sendable>: Sendable {
  private struct Failure: Sendable {
    var count: Int
    /// The last load that failed: it counts once, even if several callers stop waiting before it ends.
    var load: FlightID
    /// The time since that load failed, or since its first caller stopped waiting for it.
    var passed: @Sendable () -> Duration
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

  /// Returns the load of a key that a caller has stopped waiting for, if that was at least `time` ago.
  func overdue(_ key: Key, _ time: Duration) -> FlightID? {
    failures.withLock { failures in
      guard !failures.isEmpty, let failure = failures[key], failure.passed() >= time else { return nil }
      return failure.load
    }
  }

  /// Records that a load has failed or timed out.
  func add(_ key: Key, _ load: FlightID, now: Double, _ backoff: Backoff, on clock: any Clock<Duration>) {
    failures.withLock { failures in
      if failures.count >= Self.limit, failures[key] == nil {
        failures = failures.filter { $0.value.retry > now }
        if failures.count >= Self.limit { failures = [:] }
      }
      let last = failures[key]
      let same = last.flatMap { $0.load == load ? $0 : nil }
      let count = same?.count ?? (last?.count ?? 0) + 1
      let delay = backoff.delay(afterFailures: count, random: .random(in: 0...1)).inSeconds
      failures[key] = Failure(
        count: count, load: load, passed: same?.passed ?? startStopwatch(clock), retry: now + delay)
    }
  }

  func clear(_ key: Key) {
    failures.withLock { failures in
      if !failures.isEmpty { failures[key] = nil }
    }
  }

  /// Forgets a failure that is a timeout of this load, which has succeeded since.
  func clear(_ key: Key, of load: FlightID) {
    failures.withLock { failures in
      if !failures.isEmpty, failures[key]?.load == load { failures[key] = nil }
    }
  }

  func clear() { failures.withLock { $0 = [:] } }
}
