import StrataCore

/// A wait of a task that ends with a value, an error, or the task's cancellation, whichever comes first.
@usableFromInline
package protocol Waiting: AnyObject, Sendable {
  associatedtype Value: Sendable
  func withState<R: Sendable>(_ body: (inout WaitingState<Value>) -> R) -> R
  /// Called when the task is cancelled. By default ends the wait with a `CancellationError`.
  func cancel()
}

/// The state of a wait.
@usableFromInline
package enum WaitingState<Value: Sendable>: Sendable {
  case idle
  case waiting(UnsafeContinuation<Void, Never>)
  case finished(Result<Value, any Error>)
  case taken
}

extension Waiting {
  @inlinable
  package func cancel() { finish(.failure(CancellationError())) }

  /// Whether the wait has ended.
  @inlinable
  package var isFinished: Bool {
    withState { state in
      switch state {
      case .idle, .waiting: false
      case .finished, .taken: true
      }
    }
  }

  /// Waits after calling `begin`, which starts the operation. If the task is already cancelled, `begin` is not called.
  @inlinable
  @inline(__always)
  package func wait(_ begin: () -> Void) async throws -> Value {
    await withTaskCancellationHandler {
      // Unsafe, since the checks would cost as much as the rest. The continuation is resumed exactly once: below if the
      // wait has ended already, or by the one call of `finish` that removes it from the state.
      await withUnsafeContinuation { continuation in
        let isTooLate = withState { state in
          guard case .idle = state else { return true }
          state = .waiting(continuation)
          return false
        }
        if isTooLate { continuation.resume() } else { begin() }
      }
    } onCancel: {
      cancel()
    }
    let result = withState { state in
      defer { state = .taken }
      return state
    }
    guard case .finished(let result) = result else { preconditionFailure("resumed before the wait ended") }
    return try result.get()
  }

  /// Ends the wait. Only the first call has an effect; returns whether this was the first.
  @inlinable
  @discardableResult
  package func finish(_ result: Result<Value, any Error>) -> Bool {
    // `nil` if the wait had ended before; otherwise the continuation, if a task waits already.
    let ended: UnsafeContinuation<Void, Never>?? = withState { state in
      switch state {
      case .idle:
        state = .finished(result)
        return .some(nil)
      case .waiting(let continuation):
        state = .finished(result)
        return continuation
      case .finished, .taken: return nil
      }
    }
    guard let ended else { return false }
    ended?.resume()
    return true
  }
}

/// The wait of a task for a value.
package final class Pending<Value: Sendable>: Waiting {
  /// The deadline. The side that ends the wait checks it, or `wait(orThrow:)`.
  package let deadline: ContinuousClock.Instant
  private let state = Locked(WaitingState<Value>.idle)

  package init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

  package func withState<R: Sendable>(_ body: (inout WaitingState<Value>) -> R) -> R { state.withLock(body) }

  /// Waits like `wait`, but at most until the deadline. Throws `late` then.
  package func wait(orThrow late: any Error, _ begin: () -> Void = {}) async throws -> Value {
    EventLoop.shared.schedule(at: deadline) { [weak self] in self?.finish(.failure(late)) }
    return try await wait(begin)
  }
}
