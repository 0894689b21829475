/// How tasks take turns: at once if the keys are free, otherwise by suspending.
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

  /// Runs `body` in its turn, where the caller runs.
  @inlinable
  package func inTurn<R>(
    of scope: TurnScope<Key>, reads: Bool = false, _ body: () async throws -> R
  ) async throws -> R {
    let task = Runner.currentTask
    switch scope {
    case .key(let key):
      let hash = Self.hash(key)
      guard take(key, hash, by: task) else { break }
      defer { release(key, hash) }
      return try await part(of: task, body)
    case .keys(let keys):
      guard let batch = take(keys, by: task) else { break }
      defer { release(batch) }
      return try await part(of: task, body)
    case .everything: break
    }
    return try await inQueue(of: scope, reads: reads, body)
  }

  @usableFromInline
  func inQueue<R>(
    of scope: TurnScope<Key>, reads: Bool, _ body: () async throws -> R
  ) async throws -> R {
    let turn = line(up: scope, reads: reads)
    try await wait(for: turn)
    defer { leave(turn) }
    return try await part(of: .currentTask, body)
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
    let task = Runner.currentTask
    let hash = Self.hash(key)
    guard take(key, hash, by: task) else {
      return try await sharedReadInQueue(of: key, unless: isOutdated, read)
    }
    let found = await Result(of: { try await part(of: task, read) })
    release(key, hash, finding: found.forOtherReads)
    return try found.get()
  }

  @usableFromInline
  func sharedReadInQueue<R: Sendable>(
    of key: Key, unless isOutdated: (R) -> Bool, _ read: () async throws -> R
  ) async throws -> R {
    let turn = line(up: .key(key), reads: true)
    try await wait(for: turn)
    defer { leave(turn) }
    if let found = turn.finding(unless: isOutdated) { return try found.get() }
    return try await turn.note(Result(of: { try await part(of: .currentTask, read) })).get()
  }

  /// Runs the body of a task's turn: the tasks that it starts are part of the operation.
  @inlinable
  func part<R>(of task: Runner, _ body: () async throws -> R) async throws -> R {
    tasksMayWait ? try await OngoingOperation.run(in: task, body) : try await body()
  }

  /// Suspends until the turn has come, or blocks the thread if no code that runs in turns suspends. The current task is
  /// then the turn's runner.
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
}

/// The wait of a task for a turn: it is recorded in `WaitGraph`, and given up if the task is cancelled.
///
/// `begin` receives the turn, in synchronous code. A task can therefore enter a queue and hand over the operation that
/// runs in the turn without suspending between the two. A suspended task would need a thread to go on, and callers
/// without `await` that wait behind it could block all threads of the cooperative pool.
package final class TaskWait<Key: Hashable & Sendable>: Sendable {
  private struct State {
    var turn: Turn<Key>?
    var runners: [Runner] = []
    var isCancelled = false
  }

  private let order: KeyOrder<Key>
  private let state = Locked(State())

  package init(in order: KeyOrder<Key>) { self.order = order }

  /// Records that this task, and every operation that it is part of, waits for a turn. Throws `.deadlock` if the turn
  /// waits for one of them.
  package func begin(for turn: Turn<Key>) throws {
    let runners = OngoingOperation.runners
    try WaitGraph.enter(turn, by: runners)
    let isCancelled = state.withLock { state in
      state.turn = turn
      state.runners = runners
      return state.isCancelled
    }
    if isCancelled { order.abandon(turn) }
  }

  /// Cancels the wait, unless the turn has come.
  package func cancel() {
    let turn = state.withLock { state in
      state.isCancelled = true
      return state.turn
    }
    if let turn { order.abandon(turn) }
  }

  /// Records that the task no longer waits.
  package func end() {
    let (turn, runners) = state.withLock { ($0.turn, $0.runners) }
    if let turn { WaitGraph.leave(turn, by: runners) }
  }
}

/// Jobs of waiting tasks that run on the thread which ended the preceding turn, so that a short job need not wait for
/// another thread.
@usableFromInline
package enum Relay {
  /// The maximum number of jobs that a thread runs for others in a row. Further jobs need a thread of a pool.
  private static let limit = 16

  /// Whether this thread runs jobs for others.
  @usableFromInline
  package static var isRunning: Bool { ThreadTurns.current.record.pointee.relay != nil }

  /// Runs a job now, or after the job that this thread currently runs for others. Returns `false` if the thread has
  /// reached the limit or is inside a turn.
  package static func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    let thread = ThreadTurns.current
    // A thread inside a turn must not be delayed for others.
    if thread.isInTurn { return false }
    if let jobs = thread.record.pointee.relay {
      if jobs.count >= limit { return false }
      // The loop below runs the job, so that a long queue of waiting tasks does not become a deep stack.
      thread.record.pointee.relay = jobs + [job]
      return true
    }
    thread.record.pointee.relay = []
    defer { thread.record.pointee.relay = nil }
    job()
    var next = 0
    while let jobs = thread.record.pointee.relay, next < jobs.count {
      jobs[next]()
      next += 1
    }
    return true
  }
}

/// Updates a value with a closure that runs between two turns: the first turn reads the value, and the second replaces
/// it if it has not changed. Otherwise the steps are repeated.
///
/// For closures that need the caller's actor. In a turn, a closure could wait for a thread that callers without `await`
/// hold while they wait for the turn.
///
/// - Parameters:
///   - replace: returns the stored value, or `nil` if the value has changed.
///   - blocking: updates the value in one turn, for which the thread waits. It is called if others change the value
///     again and again. The wait ends, since the operation that has the turn has a thread too.
package func updateBetweenTurns<Seen, Value>(
  read: () async throws -> (Seen, Value), _ modify: (inout Value) throws -> Void,
  replace: (Seen, Value) async throws -> Value?, blocking: () throws -> Value
) async throws -> Value {
  for _ in 0..<8 {
    var (seen, value) = try await read()
    try modify(&value)
    if let stored = try await replace(seen, value) { return stored }
  }
  return try blocking()
}
