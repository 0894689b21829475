// Both operations run in child tasks. Turns that this task already holds count as held by its children, so that a child
// which waits for such a turn throws `.deadlock`. Turns that one child takes do not: the other child may wait for them.

/// Runs two operations concurrently. Returns when both have ended.
func atOnce<T: Sendable, U: Sendable>(
  _ first: @Sendable () async throws -> T, and second: @Sendable () async throws -> U
) async -> (Result<T, any Error>, Result<U, any Error>) {
  let parent = Runner.currentTask
  async let one = WaitGraph.inChild(of: parent) { await Result(of: first) }
  async let two = WaitGraph.inChild(of: parent) { await Result(of: second) }
  return (await one, await two)
}

/// Makes two changes concurrently. If the task is cancelled and only one of them was made, makes the other one too.
func changeAtOnce(
  _ first: @escaping @Sendable () async throws -> Void,
  and second: @escaping @Sendable () async throws -> Void
) async -> (Result<Void, any Error>, Result<Void, any Error>) {
  switch await atOnce(first, and: second) {
  case (.success, .failure(let error)) where error.isCancellation:
    (.success(()), await Result(of: { try await regardless(second) }))
  case (.failure(let error), .success) where error.isCancellation:
    (await Result(of: { try await regardless(first) }), .success(()))
  case let outcomes: outcomes
  }
}

/// Reads two parts concurrently.
///
/// Returns `nil` if either part is absent. If the first part is absent or its read fails, the read of the second is
/// cancelled.
func readAtOnce<T: Sendable, U: Sendable>(
  _ first: @Sendable () async throws -> T?, and second: @Sendable () async throws -> U?
) async throws -> (T, U)? {
  let parent = Runner.currentTask
  async let one = WaitGraph.inChild(of: parent) { try await first() }
  async let two = WaitGraph.inChild(of: parent) { try await second() }
  guard let one = try await one else { return nil }
  return try await two.map { (one, $0) }
}
