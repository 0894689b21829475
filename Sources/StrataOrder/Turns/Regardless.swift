/// How long an operation of a cancelled task may still take for its last step.
package enum Cancellation {
  /// The time from the cancellation on. A tier that hangs must not keep the task for ever.
  @TaskLocal package static var patience = Duration.seconds(5)
}

/// Runs `body` even if the task is cancelled: code inside it sees the cancellation only after `Cancellation.patience`.
/// It runs on a thread of a pool, since callers without `await` that wait for this task may block all threads of the
/// cooperative pool.
package func regardless<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
  let parent = Runner.currentTask
  let patience = Cancellation.patience
  let step = Task(executorPreference: PoolExecutor.shared) {
    try await WaitGraph.inChild(of: parent, body)
  }
  let end = Locked<Task<Void, Never>?>(nil)
  defer { end.withLock { $0?.cancel() } }
  return try await withTaskCancellationHandler {
    try await step.value
  } onCancel: {
    let timer = Task(executorPreference: PoolExecutor.shared) {
      do { try await Task.sleep(for: patience) } catch { return }
      step.cancel()
    }
    end.withLock { $0 = timer }
  }
}

/// Runs `body`: synchronous code is not cancelled.
@inlinable
package func regardless<R>(_ body: () throws -> R) rethrows -> R { try body() }

extension KeyOrder {
  /// Runs `body` in a turn, even if the task is cancelled. Does not suspend if no code in the turns of this order does.
  package func regardless(_ body: @escaping @Sendable () async throws -> Void) async throws {
    // An unqualified name would be the name of this method.
    if tasksSuspend { try await StrataOrder.regardless(body) } else { try await body() }
  }

  /// Runs `body`: synchronous code is not cancelled.
  package func regardless(_ body: () throws -> Void) rethrows { try body() }
}

/// Runs the last step of an operation that has begun. If the step fails because the task is cancelled, runs it again,
/// regardless of the cancellation, for `Cancellation.patience`.
package func finishing<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
  do { return try await body() } catch  where error.isCancellation { return try await regardless(body) }
}

/// Runs the last step of an operation that has begun: synchronous code is not cancelled.
@inlinable
package func finishing<R>(_ body: () throws -> R) rethrows -> R { try body() }

extension Error {
  /// Whether an operation was given up because this task is cancelled. It may have taken effect.
  package var isCancellation: Bool { self is CancellationError && Task.isCancelled }
}

extension Result where Failure == any Error {
  /// Creates the result of an operation.
  @usableFromInline
  package init(of operation: () async throws -> Success) async {
    do { self = .success(try await operation()) } catch { self = .failure(error) }
  }
}
