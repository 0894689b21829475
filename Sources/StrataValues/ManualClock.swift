#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A clock for tests, which only moves when the test advances it.
///
/// It serves stores and timeouts. Stores read the date from `clock`. Timeouts sleep on the `ManualClock` itself and
/// wake when `advance(by:)` has moved it far enough:
///
/// ```swift
/// let time = ManualClock()
/// let memory = MemoryStorage<String, Int>(config: MemoryConfig(expiry: .seconds(60), clock: time.clock))
/// async let late: Void = time.sleep(for: .seconds(61))
/// await time.sleepers(1)
/// time.advance(by: .seconds(61))
/// try await late
/// ```
public final class ManualClock: Clock {
  /// An instant of a `ManualClock`, as the total time by which the clock had been advanced.
  public struct Instant: InstantProtocol {
    /// The time from the clock's start to this instant.
    public let sinceStart: Duration

    /// Returns the instant that is `duration` later.
    public func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
    /// Returns the time from this instant to another.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    /// Returns whether one instant is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
  }

  private struct Sleeper: Sendable {
    let end: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var date: Date
    var now = Instant(sinceStart: .zero)
    var lastID = 0
    var sleepers: [Int: Sleeper] = [:]
    /// The calls of `sleepers(_:)` that wait, with the number of sleepers that each waits for.
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func wokenWatchers() -> [CheckedContinuation<Void, Never>] {
      let woken = watchers.filter { $0.count <= sleepers.count }
      watchers.removeAll { $0.count <= sleepers.count }
      return woken.map(\.continuation)
    }
  }

  private let state: Locked<State>

  /// Creates a clock that shows a date.
  public init(_ start: Date = Date(timeIntervalSince1970: 1_000_000_000)) {
    state = Locked(State(date: start))
  }

  /// The clock to use in the configuration of a store.
  public var clock: StorageClock { StorageClock { self.date } }
  /// The date that the clock shows.
  public var date: Date { state.withLock { $0.date } }
  /// The instant that the clock shows.
  public var now: Instant { state.withLock { $0.now } }
  /// Always zero.
  public var minimumResolution: Duration { .zero }

  /// Advances the clock and wakes the sleeping tasks whose deadlines have passed, in the order of their deadlines.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: max(duration, .zero))
      state.date.addTimeInterval(duration / .seconds(1))
      let due = state.sleepers.filter { $0.value.end <= state.now }.sorted { $0.value.end < $1.value.end }
      for (id, _) in due { state.sleepers[id] = nil }
      return due.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Advances the clock by seconds. A negative number only moves the date back, like a wall clock that is corrected,
  /// and wakes no task.
  public func advance(by seconds: Double) { advance(by: .seconds(seconds)) }

  /// Sets the date only, like a change of the wall clock. Sleeping tasks are not affected.
  public func setDate(_ date: Date) { state.withLock { $0.date = date } }

  /// Suspends until the clock has been advanced to an instant. Throws `CancellationError` if the task is cancelled
  /// meanwhile.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isPast, watchers): (Bool, [CheckedContinuation<Void, Never>]) = state.withLock { state in
          if deadline <= state.now { return (true, []) }
          state.sleepers[id] = Sleeper(end: deadline, continuation: continuation)
          return (false, state.wokenWatchers())
        }
        for watcher in watchers { watcher.resume() }
        if isPast { return continuation.resume() }
        // The task was cancelled before the sleeper was registered, so the cancellation handler has not found it.
        if Task.isCancelled { wake(id) }
      }
    } onCancel: {
      wake(id)
    }
  }

  private func wake(_ id: Int) {
    state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
  }

  /// The number of tasks that sleep on the clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Suspends until at least `count` tasks sleep on the clock, so that it can be advanced past their deadlines.
  public func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
