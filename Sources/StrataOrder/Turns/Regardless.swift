/// Runs `body` even if the task is cancelled: code inside it sees no cancellation. It runs on a thread of a pool, since
/// callers without `await` that wait for this task may block all threads of the cooperative pool.
package func regardless<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
  let parent = Runner.currentTask
  return try await Task(executorPreference: PoolExecutor.shared) {
    try await WaitGraph.inChild(of: parent, body)
  }.value
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
/// regardless of the cancellation.
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
