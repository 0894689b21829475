public import StrataCore

/// Limits the time of operations.
///
/// ```swift
/// let users = storage.timeout(.milliseconds(50))
/// ```
public struct TimeLimitGuard: StorageGuard {
  let limit: Duration
  let clock: any Clock<Duration>

  /// Runs an operation in a separate task. If it takes too long, cancels it and throws `StorageError.timedOut`.
  public func run<R: Sendable>(_ operation: @escaping @Sendable () async throws -> R) async throws -> R {
    let error = StorageError.timedOut.with("an operation of the store took longer than \(limit)")
    return try await withTimeLimit(limit, on: clock, throwing: error, operation)
  }
}

extension StorageAware {
  /// Returns this store with a time limit for each operation, after which it throws `StorageError.timedOut`.
  ///
  /// The operation is cancelled but not waited for: a write may nevertheless be executed, now or later.
  ///
  /// ```swift
  /// let users = redis.timeout(.milliseconds(50))
  /// ```
  public func timeout(
    _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> GuardedStorage<Self, TimeLimitGuard> {
    GuardedStorage(self, TimeLimitGuard(limit: limit, clock: clock))
  }
}
