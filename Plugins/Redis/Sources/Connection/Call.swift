import StrataCore

/// A call on its way through a connection. A task that has given up stays in line, since its reply comes all the same.
///
/// No `Pending<Replies>`: an object of a generic class looks up what its parts are when it ends, which took as long as
/// to read a reply.
final class Call: Waiting {
  /// Whether what was asked for may still happen, after the task has given up.
  private struct Fate {
    var isSettled = false
    var observers: [@Sendable () -> Void] = []
  }

  /// When it has waited for too long. Whoever it waits for looks at this.
  let deadline: ContinuousClock.Instant
  /// Whether what is asked for changes something.
  let isWrite: Bool
  private let state = Locked(WaitingState<Replies>.idle)
  /// Only looked at when a task has given up.
  private let fate = Locked(Fate())

  init(deadline: ContinuousClock.Instant, isWrite: Bool = false) {
    self.deadline = deadline
    self.isWrite = isWrite
  }

  func withState<R: Sendable>(_ body: (inout WaitingState<Replies>) -> R) -> R { state.withLock(body) }

  /// Notes that what was asked for has happened, or never will.
  func settle() {
    let observers = fate.withLock { fate in
      fate.isSettled = true
      defer { fate.observers = [] }
      return fate.observers
    }
    for observer in observers { observer() }
  }

  /// Calls a function once `settle` has been called; at once if that was before.
  func whenSettled(_ observer: @escaping @Sendable () -> Void) {
    let isSettled = fate.withLock { fate in
      if !fate.isSettled { fate.observers.append(observer) }
      return fate.isSettled
    }
    if isSettled { observer() }
  }
}
