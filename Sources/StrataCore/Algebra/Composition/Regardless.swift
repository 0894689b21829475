/// Runs what has to be done in a cancelled task too: what is called in it sees no cancellation.
func regardless(_ body: @escaping @Sendable () async throws -> Void) async throws {
  let parent = Runner.currentTask
  try await Task { try await WaitGraph.inChild(of: parent, body) }.value
}

/// Runs the last step of an operation that has begun: if the cancellation of the task is what ends it, once more,
/// regardless.
func finishing(_ body: @escaping @Sendable () async throws -> Void) async throws {
  do { try await body() } catch is CancellationError where Task.isCancelled { try await regardless(body) }
}
