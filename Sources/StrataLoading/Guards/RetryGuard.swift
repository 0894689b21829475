public import StrataCore

/// Repeats operations that fail.
///
/// ```swift
/// let users = storage.retry(3, backoff: .fixed(.milliseconds(100)))
/// ```
public struct RetryGuard: StorageGuard {
  let attempts: Int
  let backoff: Backoff
  let clock: any Clock<Duration>
  let isPassing: @Sendable (any Error) -> Bool

  /// Runs an operation until it succeeds or the attempts are used up; then throws the last error.
  public func run<R: Sendable>(_ operation: @escaping @Sendable () async throws -> R) async throws -> R {
    var failures = 0
    while true {
      do {
        return try await operation()
      } catch {
        failures += 1
        guard failures < attempts, !Task.isCancelled, isPassing(error) else { throw error }
      }
      try await clock.sleep(for: backoff.delay(afterFailures: failures, random: .random(in: 0...1)))
    }
  }
}

extension StorageAware {
  /// Returns this store with operations that are repeated on failure, up to `attempts` times in all, with pauses
  /// between them.
  ///
  /// ```swift
  /// let users = storage.retry(3, when: { error in (error as? StorageError) == .backendFailed })
  /// ```
  ///
  /// An operation whose reply was lost may be executed twice. Reads, writes and removals are idempotent, but a late
  /// write can replace a newer one of another machine.
  ///
  /// - Parameters:
  ///   - attempts: how often an operation is tried, the first time included.
  ///   - backoff: the pauses between attempts.
  ///   - clock: the clock on which pauses wait.
  ///   - isPassing: whether an error may be temporary. By default all are, except cancellations and errors about the
  ///     value or the caller, such as `.notFound`, `.typeNotMatch` and `.tooLarge`.
  public func retry(
    _ attempts: Int, backoff: Backoff = .exponential(from: .milliseconds(50), to: .seconds(1), jitter: 0.5),
    clock: any Clock<Duration> = ContinuousClock(),
    when isPassing: @escaping @Sendable (any Error) -> Bool = { StorageError.mayPass($0) }
  ) -> GuardedStorage<Self, RetryGuard> {
    GuardedStorage(self, RetryGuard(attempts: attempts, backoff: backoff, clock: clock, isPassing: isPassing))
  }
}

extension StorageError {
  /// Returns whether an error may be temporary: not a cancellation, and not caused by the value or the call.
  public static func mayPass(_ error: any Error) -> Bool {
    if error is CancellationError { return false }
    guard let error = error as? StorageError else { return true }
    let lasting: [StorageError] = [
      .notFound, .typeNotMatch, .malformedFileAttributes, .decodingFailed, .encodingFailed, .transformerFail,
      .tooLarge, .leaseLost,
      .deadlock, .overflow, .invalidConfiguration, .newerFormat, .invalidAnswer,
    ]
    return !lasting.contains(error)
  }
}
