// Both operations run in child tasks of this one. Of the turns that stores take, those that this task had before count
// as its children's, so that a child that waits for one is told; those that one child takes the other may wait for.

extension Result where Failure == any Error {
  /// The outcome of an operation.
  @usableFromInline
  package init(of operation: () async throws -> Success) async {
    do { self = .success(try await operation()) } catch { self = .failure(error) }
  }
}

/// Runs two operations at the same time. Returns when both have ended.
func atOnce<T: Sendable, U: Sendable>(
  _ first: @Sendable () async throws -> T, and second: @Sendable () async throws -> U
) async -> (Result<T, any Error>, Result<U, any Error>) {
  let parent = Runner.currentTask
  async let one = WaitGraph.inChild(of: parent) { await Result(of: first) }
  async let two = WaitGraph.inChild(of: parent) { await Result(of: second) }
  return (await one, await two)
}

/// Reads two parts at the same time.
///
/// Returns `nil` if either part is absent. If the first is, or fails, the read of the second is cancelled.
func readAtOnce<T: Sendable, U: Sendable>(
  _ first: @Sendable () async throws -> T?, and second: @Sendable () async throws -> U?
) async throws -> (T, U)? {
  let parent = Runner.currentTask
  async let one = WaitGraph.inChild(of: parent) { try await first() }
  async let two = WaitGraph.inChild(of: parent) { try await second() }
  guard let one = try await one else { return nil }
  return try await two.map { (one, $0) }
}
