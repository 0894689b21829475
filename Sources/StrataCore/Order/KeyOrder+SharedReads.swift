/// Reads of one key that wait for each other: the first reads for all.
///
/// No write came between two readers that stand in line one right behind the other, so what the first finds, be it nothing or
/// a failure, is what the second would find. Only a task that was cancelled keeps its failure to itself.
extension KeyOrder {
  /// Reads when the turn of the key has come, unless the reader before has the answer; blocks the thread until then.
  @inlinable
  package func sharedRead<R: Sendable>(of key: Key, _ read: () throws -> R) throws -> R {
    try takingTurn(.key(key), reads: true) { turn in
      guard let turn else { return try read() }
      return try (turn.finding(as: R.self) ?? turn.note(Result(catching: read))).get()
    }
  }

  /// Reads when the turn of the key has come, unless the reader before has the answer; suspends the task until then.
  @usableFromInline
  package func sharedRead<R: Sendable>(of key: Key, _ read: () async throws -> R) async throws -> R {
    let turn = line(up: .key(key), reads: true)
    try await wait(for: turn)
    defer { leave(turn) }
    if let found = turn.finding(as: R.self) { return try found.get() }
    do {
      return try await turn.note(.success(read())).get()
    } catch {
      return try turn.note(Result<R, any Error>.failure(error)).get()
    }
  }
}

extension Turn {
  /// What the reader before has found.
  @inlinable
  func finding<R: Sendable>(as type: R.Type) -> Result<R, any Error>? {
    finding as? Result<R, any Error>
  }

  /// Keeps what was read for the next in line.
  @inlinable
  func note<R: Sendable>(_ found: Result<R, any Error>) -> Result<R, any Error> {
    if case .failure = found, Task.isCancelled { return found }
    finding = found
    return found
  }
}
