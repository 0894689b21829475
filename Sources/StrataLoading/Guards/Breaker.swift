/// When a circuit breaker opens, and for how long.
///
/// ```swift
/// let policy = BreakerPolicy(failureRate: 0.2, minimumCalls: 20, openFor: .seconds(5))
/// let users = storage.breaker(policy)
/// ```
public struct BreakerPolicy: Sendable, Equatable {
  /// The fraction of calls within the window that must fail, from 0 to 1.
  public var failureRate: Double
  /// The minimum number of calls within the window.
  public var minimumCalls: Int
  /// The length of the window, which moves in ten steps.
  public var window: Duration
  /// How long the breaker stays open before one call is let through as a probe.
  public var openFor: Duration

  /// Creates a policy. By default the breaker opens for thirty seconds when half of ten or more calls within ten
  /// seconds fail.
  public init(
    failureRate: Double = 0.5, minimumCalls: Int = 10, window: Duration = .seconds(10),
    openFor: Duration = .seconds(30)
  ) {
    self.failureRate = failureRate
    self.minimumCalls = minimumCalls
    self.window = window
    self.openFor = openFor
  }
}

/// The state of a circuit breaker.
///
/// ```swift
/// let users = storage.breaker(onChange: { state in print("the store's breaker is \(state)") })
/// ```
public enum BreakerState: String, Sendable, Equatable {
  /// Calls are let through.
  case closed
  /// Calls are refused.
  case open
  /// One call is let through as a probe. Its result closes or reopens the breaker.
  case halfOpen
}

/// The rules of a circuit breaker, without clocks and locks. Times are counted from its start.
struct Breaker: Sendable {
  private static let steps = 10

  private let policy: BreakerPolicy
  private(set) var state = BreakerState.closed
  private var openedAt = Duration.zero
  /// The numbers of calls and failures in each step of the window.
  private var counts = [(step: Int, calls: Int, failures: Int)](repeating: (-1, 0, 0), count: steps)

  init(_ policy: BreakerPolicy) { self.policy = policy }

  /// How a call was admitted.
  enum Admission: Sendable {
    /// The breaker was closed.
    case ordinary
    /// The breaker was open: the result of the call closes or reopens it.
    case probe
  }

  /// Returns how a call may run now, or `nil` if it may not. In the half-open state one call may, the probe, and its
  /// result must be recorded before another.
  mutating func admission(at now: Duration) -> Admission? {
    switch state {
    case .closed: return .ordinary
    case .halfOpen: return nil
    case .open:
      guard now - openedAt >= policy.openFor else { return nil }
      state = .halfOpen
      return .probe
    }
  }

  /// Records the result of an admitted call.
  mutating func record(success: Bool, of call: Admission, at now: Duration) {
    switch (call, state) {
    case (.probe, _):
      if success { close() } else { open(at: now) }
    case (.ordinary, .open), (.ordinary, .halfOpen):
      return  // It was admitted before the breaker opened, and says nothing new.
    case (.ordinary, .closed):
      let step = step(at: now)
      let index = step % Self.steps
      if counts[index].step != step { counts[index] = (step, 0, 0) }
      counts[index].calls += 1
      if !success { counts[index].failures += 1 }
      if !success, isFailing(at: step) { open(at: now) }
    }
  }

  /// Records the cancellation of an admitted call, which says nothing about the store. If it was the probe, another
  /// call may be.
  mutating func recordNothing(of call: Admission) {
    if call == .probe { state = .open }
  }

  private func step(at now: Duration) -> Int {
    let length = max(policy.window / Double(Self.steps), .nanoseconds(1))
    return Int((now / length).rounded(.down))
  }

  private func isFailing(at step: Int) -> Bool {
    let recent = counts.filter { $0.step > step - Self.steps }
    let calls = recent.reduce(0) { $0 + $1.calls }
    let failures = recent.reduce(0) { $0 + $1.failures }
    return calls >= policy.minimumCalls && Double(failures) >= policy.failureRate * Double(calls)
  }

  private mutating func open(at now: Duration) {
    state = .open
    openedAt = now
  }

  private mutating func close() {
    state = .closed
    counts = counts.map { _ in (-1, 0, 0) }
  }
}
