public import StrataCore

/// Does operations again that fail.
public struct RetryGuard: StorageGuard {
  private let attempts: Int
  private let backoff: Backoff
  private let clock: any Clock<Duration>
  private let isPassing: @Sendable (any Error) -> Bool

  init(
    _ attempts: Int, backoff: Backoff, clock: any Clock<Duration>,
    when isPassing: @escaping @Sendable (any Error) -> Bool
  ) {
    self.attempts = attempts
    self.backoff = backoff
    self.clock = clock
    self.isPassing = isPassing
  }

  /// Runs an operation until it succeeds, as often as it may; throws the last error.
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
  /// This store with operations that are done again when they fail, `attempts` times in all, with a pause between them.
  ///
  /// An operation may so be done twice: one whose answer was lost has happened. Reads, writes and removals of a store
  /// are the same when done twice, but a write that comes late can replace a newer one of another machine.
  ///
  /// - Parameters:
  ///   - attempts: how often an operation is tried, the first time included.
  ///   - backoff: the pauses between attempts.
  ///   - clock: the clock on which pauses wait.
  ///   - isPassing: whether an error may pass. By default all do but cancellations and those that tell of the value or
  ///     the caller, as `.notFound`, `.typeNotMatch` or `.tooLarge` do.
  public func retry(
    _ attempts: Int, backoff: Backoff = .exponential(from: .milliseconds(50), to: .seconds(1), jitter: 0.5),
    clock: any Clock<Duration> = ContinuousClock(),
    when isPassing: @escaping @Sendable (any Error) -> Bool = { StorageError.mayPass($0) }
  ) -> GuardedStorage<Self, RetryGuard> {
    GuardedStorage(self, RetryGuard(attempts, backoff: backoff, clock: clock, when: isPassing))
  }
}

extension StorageError {
  /// Whether an error may be gone when the same is done again: not a cancellation, and not what the value or the call
  /// is the cause of.
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
