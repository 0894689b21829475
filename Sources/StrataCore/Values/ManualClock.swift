#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A clock that stands still until it is told to move: time for tests.
///
/// It is two clocks in one, which move together. Stores ask `clock` for the date; timeouts sleep on the clock itself,
/// and wake when `advance(by:)` has moved it far enough:
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
  /// A moment of a `ManualClock`: how long the clock had been advanced by then.
  public struct Instant: InstantProtocol {
    /// The time from the clock's start to this moment.
    public let sinceStart: Duration

    /// The moment that comes `duration` later.
    public func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
    /// The time from this moment to another.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    /// Whether one moment comes before another.
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
    /// Who waits for how many sleepers.
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func wokenWatchers() -> [CheckedContinuation<Void, Never>] {
      let woken = watchers.filter { $0.count <= sleepers.count }
      watchers.removeAll { $0.count <= sleepers.count }
      return woken.map(\.continuation)
    }
  }

  private let state: Locked<State>

  /// A clock that stands at a date.
  public init(_ start: Date = Date(timeIntervalSince1970: 1_000_000_000)) {
    state = Locked(State(date: start))
  }

  /// The clock to hand to a store.
  public var clock: StorageClock { StorageClock { self.date } }
  /// The date that the clock shows.
  public var date: Date { state.withLock { $0.date } }
  /// The moment that the clock shows.
  public var now: Instant { state.withLock { $0.now } }
  /// Zero: the clock stands still.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock, and wakes those whose time has come, in the order of their times.
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

  /// Moves the clock by seconds. A negative number moves the date back, as a wrong wall clock that is set right, and no
  /// sleeper.
  public func advance(by seconds: Double) { advance(by: .seconds(seconds)) }

  /// Moves the date alone, as somebody who sets the wall clock: no time passes for those who sleep.
  public func setDate(_ date: Date) { state.withLock { $0.date = date } }

  /// Suspends until the clock has been advanced to a moment. Throws `CancellationError` if the task is cancelled
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
        // Cancelled before there was anything to wake: the handler has found nobody.
        if Task.isCancelled { wake(id) }
      }
    } onCancel: {
      wake(id)
    }
  }

  private func wake(_ id: Int) {
    state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
  }

  /// How many tasks sleep on the clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Suspends until so many tasks sleep on the clock: then it can be advanced past their times.
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
