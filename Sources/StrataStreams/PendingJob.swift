import StrataSupport

/// A job that runs on a thread of a pool while its caller does something else.
package final class PendingJob<Value: Sendable>: Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Value, any Error>)
    case ended(Result<Value, any Error>)
  }

  private let state = Locked(State.running)

  /// Starts the job.
  package init(on pool: BlockingPool, _ job: @escaping @Sendable () throws -> Value) {
    pool.submit { [state = self] in state.end(Result(catching: job)) }
  }

  /// Returns the job's result, and waits for it. Only one task may call it, once.
  package func value() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let result: Result<Value, any Error>? = state.withLock { state in
        if case .ended(let result) = state { return result }
        state = .awaited(continuation)
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }

  private func end(_ result: Result<Value, any Error>) {
    let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
      if case .awaited(let continuation) = state { return continuation }
      state = .ended(result)
      return nil
    }
    continuation?.resume(with: result)
  }
}
