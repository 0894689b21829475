/// How threads take turns: at once if the keys are free, otherwise by blocking.
extension KeyOrder {
  /// Runs `body` when its turn has come, and blocks the thread until then.
  ///
  /// - Parameter attempts: how often to try again to take one key before queueing. See `take`.
  @inlinable
  @discardableResult
  package func withTurn<R>(
    _ scope: TurnScope<Key>, reads: Bool = false, attempts: Int = 0, _ body: () throws -> R
  ) throws -> R {
    let thread = ThreadTurns.current
    if thread.isInTurn(of: ObjectIdentifier(self)), try isInside(thread, scope, reads: reads) {
      return try body()
    }
    if let result = try ifFree(scope, reads, attempts, thread, body) { return result }
    let turns = try block(for: scope, reads: reads, thread)
    defer { for turn in turns { leave(turn) } }
    return try thread.hold(self, scope, reads: reads, body)
  }

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
      release(key, hash, finding: found.forOtherReads)
      return try found.get()
    }
    let turn = try block(for: scope, reads: true, thread)[0]
    defer { leave(turn) }
    if let found = turn.finding(unless: isOutdated) { return try found.get() }
    return try turn.note(Result { try thread.hold(self, scope, reads: true, read) }).get()
  }

  /// Runs `body` in the key's turn. Returns `nil`, without waiting, if the key is taken or waited for.
  ///
  /// - Parameter attempts: how often to try again to take the key. See `take`.
  @inlinable
  package func ifFree<R>(
    _ key: Key, reads: Bool = false, attempts: Int = 0, _ body: () throws -> R
  ) rethrows -> R? {
    try ifFree(.key(key), reads, attempts, .current, body)
  }

  @inlinable
  func ifFree<R>(
    _ scope: TurnScope<Key>, _ reads: Bool, _ attempts: Int, _ thread: ThreadTurns, _ body: () throws -> R
  ) rethrows -> R? {
    switch scope {
    case .key(let key):
      let hash = Self.hash(key)
      guard take(key, hash, by: Runner(thread), attempts: attempts) else { return nil }
      defer { release(key, hash) }
      return try thread.hold(self, scope, reads: reads, body)
    case .keys(let keys):
      guard let batch = take(keys, by: Runner(thread)) else { return nil }
      defer { release(batch) }
      return try thread.hold(self, scope, reads: reads, body)
    case .everything: return nil
    }
  }

  /// Runs `body` in the key's turn. Throws `WouldWait`, without waiting, if the key is taken or waited for.
  @inlinable
  package func atOnce<R>(_ key: Key, reads: Bool = false, _ body: () throws -> R) throws -> R {
    guard let result = try ifFree(key, reads: reads, body) else { throw WouldWait() }
    return result
  }

  /// Runs `body` in a turn that a task has waited for, with this thread as the turn's runner.
  package func running<R>(_ turn: Turn<Key>, _ body: () throws -> R) rethrows -> R {
    let thread = ThreadTurns.current
    let hasBegun = hasBegun(turn, by: Runner(thread))
    assert(hasBegun, "a turn is run in before it has come")
    // The thread may do other work before the turn ends, and must not appear to wait for itself then.
    defer { _ = self.hasBegun(turn, by: .nobody) }
    return try thread.hold(self, turn.scope, reads: turn.reads, body)
  }
}

// MARK: Inside a turn

extension KeyOrder {
  /// Whether this thread is inside a turn of any order.
  @inlinable
  package static var isThreadInTurn: Bool { ThreadTurns.current.isInTurn }

  /// Whether this thread is inside a turn of this order that may write.
  package var isThreadChanging: Bool {
    ThreadTurns.current.readsOnly(in: self, overlapping: .everything) == false
  }

  /// Runs `body` as if this thread had the key's turn: a write of the key inside it throws `.deadlock`.
  @inlinable
  package func refusingWrites<R>(of key: Key, _ body: () throws -> R) rethrows -> R {
    try ThreadTurns.current.hold(self, .key(key), reads: false, body)
  }

  /// Throws `.deadlock` if this thread is inside a turn of the key.
  @usableFromInline
  package func refuseInsideTurn(of key: Key) throws {
    let scope = TurnScope.key(key)
    if ThreadTurns.current.readsOnly(in: self, overlapping: scope) != nil { throw scope.reentry }
  }

  /// Returns whether the thread is already inside an overlapping turn. A read inside a turn sees its changes. A write
  /// inside a turn would be lost or repeat for ever, so it throws `.deadlock`.
  @usableFromInline
  func isInside(_ thread: ThreadTurns, _ scope: TurnScope<Key>, reads: Bool) throws -> Bool {
    guard let readsOnly = thread.readsOnly(in: self, overlapping: scope) else { return false }
    guard reads || readsOnly else { throw scope.reentry }
    return true
  }
}

// MARK: Waiting threads

extension KeyOrder {
  /// Blocks until a turn has come. If the thread is already inside a turn, several keys are taken one after the other,
  /// each in a turn of its own.
  @usableFromInline
  func block(for scope: TurnScope<Key>, reads: Bool, _ thread: ThreadTurns) throws -> [Turn<Key>] {
    guard case .keys(let keys) = scope, thread.isInTurn else {
      return [try blockForOne(scope, reads: reads, thread)]
    }
    var turns: [Turn<Key>] = []
    do {
      for (_, key) in keys.map({ (Self.hash($0), $0) }).sorted(by: { $0.0 < $1.0 }) {
        turns.append(try blockForOne(.key(key), reads: reads, thread))
      }
    } catch {
      for turn in turns { leave(turn) }
      throw error
    }
    return turns
  }

  private func blockForOne(_ scope: TurnScope<Key>, reads: Bool, _ thread: ThreadTurns) throws -> Turn<Key> {
    let turn = Turn(order: self, scope: scope, reads: reads, runner: Runner(thread))
    if enter(turn, ahead: thread.isInTurn) { return turn }
    // A thread may hold turns itself, or run a task that holds turns or is part of an operation that does.
    let tasks = OngoingOperation.runners
    let runners = thread.isInTurn || !tasks.isEmpty ? [Runner(thread)] + tasks : []
    try WaitGraph.enter(turn, by: runners)
    defer { WaitGraph.leave(turn, by: runners) }
    try block(until: turn) { waitsForTask(turn) }
    let hasBegun = hasBegun(turn, by: Runner(thread))
    assert(hasBegun, "a thread is woken before its turn has come")
    return turn
  }

  /// Blocks until a turn has come. Throws `CancellationError` if it is cancelled.
  ///
  /// - Parameter mayNeedJob: whether a job of this thread's pool may have to end the preceding turn.
  func block(until turn: Turn<Key>, mayNeedJob: () -> Bool = { true }) throws {
    let box = SignalBox<Result<Void, any Error>>()
    whenReady(turn) { box.put($0) }
    try box.take(mayNeedJob: mayNeedJob).get()
  }

  /// Returns whether a turn of a key waits for a task, or for a turn whose runner is not known yet. Otherwise all turns
  /// ahead of it belong to threads, each of which runs or has checked the same for its own wait.
  private func waitsForTask(_ turn: Turn<Key>) -> Bool {
    table.withLock { table in
      guard case .key(let key) = turn.scope, table.queues[key] != nil else { return true }
      return table.ahead(of: turn, key: key) { !$0.runner.isThread }.contains { !$0.runner.isThread }
    }
  }
}
