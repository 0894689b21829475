import StrataCore

/// Where a task waits for something, and gets it, a failure, or its cancellation, whichever comes first.
protocol Waiting: AnyObject, Sendable {
  associatedtype Value: Sendable
  func withState<R: Sendable>(_ body: (inout WaitingState<Value>) -> R) -> R
}

enum WaitingState<Value: Sendable>: Sendable {
  case idle
  case waiting(UnsafeContinuation<Void, Never>)
  case finished(Result<Value, any Error>)
  case taken
}

extension Waiting {
  /// Whether nobody waits any more.
  var isFinished: Bool {
    withState { state in
      switch state {
      case .idle, .waiting: false
      case .finished, .taken: true
      }
    }
  }

  /// Waits, once `begin` has asked for it. A task that was cancelled before does not ask.
  func wait(_ begin: () -> Void) async throws -> Value {
    await withTaskCancellationHandler {
      // Unsafe, since the checks cost as much as all else here. It is resumed once: below if it was too late to wait,
      // or by the one call of `finish` that finds it in the state and takes it out.
      await withUnsafeContinuation { continuation in
        let isTooLate = withState { state in
          guard case .idle = state else { return true }
          state = .waiting(continuation)
          return false
        }
        if isTooLate { continuation.resume() } else { begin() }
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
    let result = withState { state in
      defer { state = .taken }
      return state
    }
    guard case .finished(let result) = result else { preconditionFailure("woken up for nothing") }
    return try result.get()
  }

  /// Ends the waiting; the first to call it decides how. Tells whether this was the first.
  @discardableResult
  func finish(_ result: Result<Value, any Error>) -> Bool {
    let ended: WaitingState<Value> = withState { state in
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
}

/// A task that waits for a value.
final class Pending<Value: Sendable>: Waiting {
  /// When it has waited for too long. Whoever it waits for looks at this.
  let deadline: ContinuousClock.Instant
  private let state = Locked(WaitingState<Value>.idle)

  init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

  func withState<R: Sendable>(_ body: (inout WaitingState<Value>) -> R) -> R { state.withLock(body) }
}
