/// Runs `body` even if the task is cancelled: code inside it sees no cancellation.
func regardless<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
  let parent = Runner.currentTask
  return try await Task { try await WaitGraph.inChild(of: parent, body) }.value
}

/// Runs `body`: synchronous code is not cancelled.
@inlinable
func regardless<R>(_ body: () throws -> R) rethrows -> R { try body() }

/// Runs the last step of an operation that has begun. If the step fails because the task is cancelled, runs it again,
/// regardless of the cancellation.
func finishing<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
  do { return try await body() } catch is CancellationError where Task.isCancelled {
    return try await regardless(body)
  }
}

/// Runs the last step of an operation that has begun: synchronous code is not cancelled.
@inlinable
func finishing<R>(_ body: () throws -> R) rethrows -> R { try body() }
