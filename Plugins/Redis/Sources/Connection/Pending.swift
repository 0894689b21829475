import StrataCore

/// A task that waits for something, and gets it, a failure, or its cancellation, whichever comes first.
final class Pending<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case waiting(UnsafeContinuation<Void, Never>)
    case finished(Result<Value, any Error>)
    case taken
  }

  /// Whether what was asked for may still happen, after the task has given up.
  private struct Fate {
    var isSettled = false
    var observers: [@Sendable () -> Void] = []
  }

  /// When it has waited for too long. Whoever it waits for looks at this.
  let deadline: ContinuousClock.Instant
  /// Whether what is asked for changes something.
  let isWrite: Bool
  private let state = Locked(State.idle)
  /// Only looked at when a task has given up.
  private let fate = Locked(Fate())

  init(deadline: ContinuousClock.Instant, isWrite: Bool = false) {
    self.deadline = deadline
    self.isWrite = isWrite
  }

  /// Whether nobody waits any more.
  var isFinished: Bool {
    state.withLock { state in
      switch state {
      case .idle, .waiting: false
      case .finished, .taken: true
      }
    }
  }

  /// Waits, once `begin` has asked for it. A task that was cancelled before does not ask.
  func wait(_ begin: () -> Void) async throws -> Value {
    await withTaskCancellationHandler {
      // Unsafe, since the checks cost as much as all else here. It is resumed once: below if it was too late to wait, or by the
      // one call of `finish` that finds it in the state and takes it out.
      await withUnsafeContinuation { continuation in
        let isTooLate = state.withLock { state in
          guard case .idle = state else { return true }
          state = .waiting(continuation)
          return false
        }
        if isTooLate { continuation.resume() } else { begin() }
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
    let result = state.withLock { state in
      defer { state = .taken }
      return state
    }
    guard case .finished(let result) = result else { preconditionFailure("woken up for nothing") }
    return try result.get()
  }

  /// Ends the waiting; the first to call it decides how. Tells whether this was the first.
  @discardableResult
  func finish(_ result: Result<Value, any Error>) -> Bool {
    let ended: State = state.withLock { state in
      switch state {
      case .idle, .waiting:
        defer { state = .finished(result) }
        return state
      case .finished, .taken: return .taken
      }
    }
    switch ended {
    case .idle: return true
    case .finished, .taken: return false
    case .waiting(let continuation):
      continuation.resume()
      return true
    }
  }

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
