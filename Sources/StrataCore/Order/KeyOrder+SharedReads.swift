/// Reads of one key that share a result: concurrent reads that wait for each other use the result of the first.
///
/// No write happens between two reads that are adjacent in the queue. So the second read would have the result of the
/// first, whether a value, nothing or a failure. Only the failure of a cancelled task is not shared.
///
/// The caller can refuse an outdated result: `isOutdated` decides when the turn has come. The read then runs in that
/// same turn, and the next read receives the new result. In a turn of its own, behind other reads, it would see a newer
/// state than the result that these reads pass on, and reads behind them would return the older state afterwards.
extension KeyOrder {
  /// Returns the result of `read`, run in the key's turn, or the result of the read directly before it in the queue.
  /// Blocks the thread until the turn has come.
  @inlinable
  package func sharedRead<R: Sendable>(
    of key: Key, unless isOutdated: (R) -> Bool = { _ in false }, _ read: () throws -> R
  ) throws -> R {
    let thread = ThreadTurns.current
    let scope = TurnScope.key(key)
    if thread.isInTurn(of: ObjectIdentifier(self)), try isInside(thread, scope, reads: true) {
      return try read()
    }
    let hash = Self.hash(key)
    if take(key, hash, by: Runner(thread)) {
      let found = Result { try thread.hold(self, scope, reads: true, read) }
      release(key, hash, found)
      return try found.get()
    }
    let turn = try block(for: scope, reads: true, thread)[0]
    defer { leave(turn) }
    if let found = turn.finding(unless: isOutdated) { return try found.get() }
    return try turn.note(Result { try thread.hold(self, scope, reads: true, read) }).get()
  }

  /// Returns the result of `read`, run in the key's turn, or the result of the read directly before it in the queue.
  /// Suspends the task until the turn has come.
  @inlinable
  package func sharedRead<R: Sendable>(
    of key: Key, unless isOutdated: (R) -> Bool = { _ in false }, _ read: () async throws -> R
  ) async throws -> R {
    guard let executor else { return try await sharedReadInTurn(of: key, unless: isOutdated, read) }
    return try await executor.run { try await sharedReadInTurn(of: key, unless: isOutdated, read) }
  }

  @inlinable
  func sharedReadInTurn<R: Sendable>(
    of key: Key, unless isOutdated: (R) -> Bool, _ read: () async throws -> R
  ) async throws -> R {
    let hash = Self.hash(key)
    let task = Runner.currentTask
    guard take(key, hash, by: task) else { return try await sharedReadInLine(key, unless: isOutdated, read) }
    let found = await Result(of: { try await reading(in: task, read) })
    release(key, hash, found)
    return try found.get()
  }

  @usableFromInline
  func sharedReadInLine<R: Sendable>(
    _ key: Key, unless isOutdated: (R) -> Bool, _ read: () async throws -> R
  ) async throws -> R {
    let turn = line(up: .key(key), reads: true)
    try await wait(for: turn)
    defer { leave(turn) }
    if let found = turn.finding(unless: isOutdated) { return try found.get() }
    let task = Runner.currentTask
    return try await turn.note(Result(of: { try await reading(in: task, read) })).get()
  }

  /// Runs a read in its turn: the tasks that it starts are part of it.
  @inlinable
  func reading<R>(in task: Runner, _ read: () async throws -> R) async throws -> R {
    tasksMayWait ? try await OngoingOperation.run(in: task, read) : try await read()
  }

  /// Releases a key that was taken for a read, and passes the result to the next read in the queue.
  @inlinable
  func release<R: Sendable>(_ key: Key, _ hash: Int, _ found: Result<R, any Error>) {
    if shards[hash].pointee.withLock({ $0.release(key, hash: hash) }) { return }
    leaveLine(of: key, finding: found.isForOthers ? found : nil)
  }
}

extension Turn {
  /// Returns the result of the preceding read, if there is one of this type and it is not outdated.
  @inlinable
  func finding<R: Sendable>(unless isOutdated: (R) -> Bool) -> Result<R, any Error>? {
    guard let found = finding as? Result<R, any Error> else { return nil }
    if case .success(let value) = found, isOutdated(value) { return nil }
    return found
  }

  /// Keeps a result for the next read in the queue, and returns it.
  @inlinable
  func note<R: Sendable>(_ found: Result<R, any Error>) -> Result<R, any Error> {
    if found.isForOthers { finding = found }
    return found
  }
}

extension Result where Failure == any Error {
  /// Whether other reads may use this result: it is not a failure of a cancelled task.
  @inlinable
  var isForOthers: Bool {
    if case .failure = self, Task.isCancelled { false } else { true }
  }
}
