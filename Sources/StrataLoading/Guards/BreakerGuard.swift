public import StrataCore

/// A circuit breaker: refuses operations of a failing store, so that callers do not wait for it.
///
/// ```swift
/// let users = storage.breaker()
/// if users.guardian.state == .open { print("the store is down") }
/// ```
public final class BreakerGuard: StorageGuard {
  private let breaker: Locked<Breaker>
  private let time: @Sendable () -> Duration
  private let isFailure: @Sendable (any Error) -> Bool
  private let onChange: @Sendable (BreakerState) -> Void

  init(
    _ policy: BreakerPolicy, clock: any Clock<Duration>, isFailure: @escaping @Sendable (any Error) -> Bool,
    onChange: @escaping @Sendable (BreakerState) -> Void
  ) {
    breaker = Locked(Breaker(policy))
    time = startStopwatch(clock)
    self.isFailure = isFailure
    self.onChange = onChange
  }

  /// The state of the breaker.
  public var state: BreakerState { breaker.withLock { $0.state } }

  /// Runs an operation; throws `StorageError.unavailable` while the breaker is open.
  public func run<R: Sendable>(_ operation: @escaping @Sendable () async throws -> R) async throws -> R {
    guard let call = changing({ $0.admission(at: time()) }) else { throw StorageError.unavailable }
    do {
      let result = try await operation()
      changing { $0.record(success: true, of: call, at: time()) }
      return result
    } catch {
      changing { breaker in
        if error is CancellationError { return breaker.recordNothing(of: call) }
        breaker.record(success: !isFailure(error), of: call, at: time())
      }
      throw error
    }
  }

  private func changing<R: Sendable>(_ change: (inout Breaker) -> R) -> R {
    let (result, before, after) = breaker.withLock { breaker in
      let before = breaker.state
      let result = change(&breaker)
      return (result, before, breaker.state)
    }
    if before != after { onChange(after) }
    return result
  }
}

extension StorageAware {
  /// Returns this store behind a circuit breaker: after too many failures all operations throw
  /// `StorageError.unavailable` at once, until a probe succeeds.
  ///
  /// ```swift
  /// let users = redis.timeout(.milliseconds(50)).breaker(BreakerPolicy(openFor: .seconds(5)))
  /// ```
  ///
  /// - Parameters:
  ///   - policy: when the breaker opens, and for how long.
  ///   - clock: the clock that measures how long it is open.
  ///   - isFailure: whether an error is a failure of the store; by default `StorageError.mayPass`.
  ///   - onChange: called when the breaker opens, lets a probe through, and closes.
  public func breaker(
    _ policy: BreakerPolicy = BreakerPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    isFailure: @escaping @Sendable (any Error) -> Bool = { StorageError.mayPass($0) },
    onChange: @escaping @Sendable (BreakerState) -> Void = { _ in }
  ) -> GuardedStorage<Self, BreakerGuard> {
    GuardedStorage(self, BreakerGuard(policy, clock: clock, isFailure: isFailure, onChange: onChange))
  }
}

extension StorageError {
  /// A circuit breaker is open: the store failed too often and is not called for a while.
  public static let unavailable = StorageError(
    .init("unavailable"),
    "the store has failed too often, and is not called until the circuit breaker lets a probe through")
}
