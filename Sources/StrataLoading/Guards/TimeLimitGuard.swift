public import StrataCore

/// Ends the wait for operations that take too long.
public struct TimeLimitGuard: StorageGuard {
  private let limit: Duration
  private let clock: any Clock<Duration>

  init(_ limit: Duration, clock: any Clock<Duration>) {
    self.limit = limit
    self.clock = clock
  }

  /// Runs an operation in a task of its own; throws `StorageError.timedOut`, and cancels it, when it takes too long.
  public func run<R: Sendable>(_ operation: @escaping @Sendable () async throws -> R) async throws -> R {
    let error = StorageError.timedOut.with("an operation of the store took longer than \(limit)")
    return try await withTimeLimit(limit, on: clock, throwing: error, operation)
  }
}

extension StorageAware {
  /// This store with a limit to the time that an operation takes: then it throws `StorageError.timedOut`.
  ///
  /// The operation is cancelled, and not waited for: a write may have happened all the same, now or later.
  ///
  /// ```swift
  /// let users = redis.timeout(.milliseconds(50))
  /// ```
  public func timeout(
    _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> GuardedStorage<Self, TimeLimitGuard> {
    GuardedStorage(self, TimeLimitGuard(limit, clock: clock))
  }
}
