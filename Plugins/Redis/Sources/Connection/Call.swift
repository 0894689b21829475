import StrataCore
import StrataNetwork

/// A call that is queued on a connection. If its task gives up, the call stays queued, since its reply will still
/// arrive.
///
/// Not a `Pending<Replies>`: releasing an object of a generic class looks up type metadata, which took as long as
/// reading a reply.
final class Call: Waiting {
  /// Whether the command may still be executed after the task has given up.
  private struct Fate {
    var isSettled = false
    var observers: [@Sendable () -> Void] = []
  }

  /// The deadline, which the connection checks.
  let deadline: ContinuousClock.Instant
  /// Whether the command changes data.
  let isWrite: Bool
  private let state = Locked(WaitingState<Replies>.idle)
  /// Used only after a task has given up.
  private let fate = Locked(Fate())

  init(deadline: ContinuousClock.Instant, isWrite: Bool = false) {
    self.deadline = deadline
    self.isWrite = isWrite
  }

  func withState<R: Sendable>(_ body: (inout WaitingState<Replies>) -> R) -> R { state.withLock(body) }

  /// Records that the command has been executed, or never will be.
  func settle() {
    let observers = fate.withLock { fate in
      fate.isSettled = true
      defer { fate.observers = [] }
      return fate.observers
    }
    for observer in observers { observer() }
  }

  /// Calls `observer` when `settle` is called, or at once if it was called before.
  func whenSettled(_ observer: @escaping @Sendable () -> Void) {
    let isSettled = fate.withLock { fate in
      if !fate.isSettled { fate.observers.append(observer) }
      return fate.isSettled
    }
    if isSettled { observer() }
  }
}
