extension KeyOrder {
  /// Runs `body` when its turn has come, and suspends the task until then. Throws `CancellationError` if the task is
  /// cancelled while it waits. Once `body` has started, the turn is not cancelled.
  @inlinable
  @discardableResult
  package func withTurn<R>(_ scope: TurnScope<Key>, _ body: () async throws -> R) async throws -> R {
    try await withTurn(scope, reads: false, body)
  }

  /// Runs `body`, which only reads, when its turn has come. Not a default argument of the function above: the compiler
  /// would then prefer the synchronous function for a `body` that does not suspend.
  @inlinable
  package func withTurn<R>(
    _ scope: TurnScope<Key>, reads: Bool, _ body: () async throws -> R
  ) async throws -> R {
    guard let executor else { return try await inTurn(of: scope, reads: reads, body) }
    return try await executor.run { try await inTurn(of: scope, reads: reads, body) }
  }

  @inlinable
  func inTurn<R>(of scope: TurnScope<Key>, reads: Bool, _ body: () async throws -> R) async throws -> R {
    switch scope {
    case .key(let key): return try await inTurn(of: key, Self.hash(key), reads: reads, body)
    case .keys(let keys):
      let task = Runner.currentTask
      guard let batch = take(keys, by: task) else { return try await inLine(scope, reads: reads, body) }
      defer { release(batch) }
      return tasksMayWait ? try await OngoingOperation.run(in: task, body) : try await body()
    case .everything: return try await inLine(scope, reads: reads, body)
    }
  }

  @inlinable
  func inTurn<R>(
    of key: Key, _ hash: Int, reads: Bool = false, _ body: () async throws -> R
  ) async throws -> R {
    let task = Runner.currentTask
    guard take(key, hash, by: task) else { return try await inLine(.key(key), reads: reads, body) }
    defer { release(key, hash) }
    return tasksMayWait ? try await OngoingOperation.run(in: task, body) : try await body()
  }

  @usableFromInline
  func inLine<R>(
    _ scope: TurnScope<Key>, reads: Bool, _ body: () async throws -> R
  ) async throws -> R {
    let turn = line(up: scope, reads: reads)
    try await wait(for: turn)
    defer { leave(turn) }
    return tasksMayWait ? try await OngoingOperation.run(body) : try await body()
  }

  /// Enters the queues of a scope. `turn(of:)` does so only if the keys are in use. The caller must then call
  /// `wait(for:)` and, unless it throws, `leave`.
  @usableFromInline
  package func line(up scope: TurnScope<Key>, reads: Bool = false) -> Turn<Key> {
    let turn = Turn(order: self, scope: scope, reads: reads, runner: .nobody)
    _ = enter(turn)
    return turn
  }

  /// Suspends until the turn has come, or blocks the thread if no code that runs in turns suspends. The current task is
  /// then the turn's runner.
  @usableFromInline
  package func wait(for turn: Turn<Key>) async throws {
    let task = Runner.currentTask
    if hasBegun(turn, by: task) { return }
    let wait = TaskWait(in: self)
    try wait.begin(for: turn)
    defer { wait.end() }
    try await cancelling {
      if !tasksSuspend { return try block(until: turn) }
      try await withCheckedThrowingContinuation { continuation in
        whenReady(turn) { continuation.resume(with: $0) }
      }
    } onCancel: {
      wait.cancel()
    }
    _ = hasBegun(turn, by: task)
  }

  private func block(until turn: Turn<Key>) throws {
    let box = SignalBox<Result<Void, any Error>>()
    whenReady(turn) { box.put($0) }
    try box.take().get()
  }
}
