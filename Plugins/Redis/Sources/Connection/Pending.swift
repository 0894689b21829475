import StrataCore

/// A task that waits for something, and gets it, a failure, or its cancellation, whichever comes first.
final class Pending<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Value, any Error>)
    case finished
  }

  /// When it has waited for too long. Whoever it waits for looks at this.
  let deadline: ContinuousClock.Instant
  private let state = Locked(State.idle)

  init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

  /// Whether nobody waits any more.
  var isFinished: Bool {
    state.withLock { state in
      if case .finished = state { return true }
      return false
    }
  }

  /// Waits, once `begin` has asked for it. A task that was cancelled before does not ask.
  func wait(_ begin: () -> Void) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          guard case .idle = state else { return true }
          state = .waiting(continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { begin() }
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
  }

  /// Ends the waiting; the first to call it decides how. Tells whether this was the first.
  @discardableResult
  func finish(_ result: sending Result<Value, any Error>) -> Bool {
    let ended: State = state.withLock { state in
      defer { state = .finished }
      return state
    }
    switch ended {
    case .idle: return true
    case .finished: return false
    case .waiting(let continuation):
      continuation.resume(with: result)
      return true
    }
  }
}
