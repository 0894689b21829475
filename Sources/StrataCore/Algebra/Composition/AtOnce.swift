extension Result where Failure == any Error {
  /// The outcome of an operation.
  init(of operation: () async throws -> Success) async {
    do { self = .success(try await operation()) } catch { self = .failure(error) }
  }
}

/// Runs two operations at the same time, the first in this task and the second in a child of it. Returns when both have
/// ended.
func atOnce<T: Sendable, U: Sendable>(
  _ first: () async throws -> T, and second: @Sendable () async throws -> U
) async -> (Result<T, any Error>, Result<U, any Error>) {
  let parent = TaskIdentity.current
  async let two = WaitingTasks.inChild(of: parent) { await Result(of: second) }
  let one = await Result(of: first)
  return (one, await two)
}

/// Reads two parts at the same time, the first in this task and the second in a child of it.
///
/// Returns `nil` if either part is absent. If the first is, or fails, the read of the second is cancelled.
func readAtOnce<T: Sendable, U: Sendable>(
  _ first: () async throws -> T?, and second: @Sendable () async throws -> U?
) async throws -> (T, U)? {
  let parent = TaskIdentity.current
  async let two = WaitingTasks.inChild(of: parent) { try await second() }
  guard let one = try await first() else { return nil }
  return try await two.map { (one, $0) }
}
