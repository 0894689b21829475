extension KeyOrder {
  /// Runs `body` when its turn has come, and blocks the thread until then.
  ///
  /// - Parameter attempts: how often to try to take one key again before queueing. See `ifFree`.
  @inlinable
  @discardableResult
  package func withTurn<R>(
    _ scope: TurnScope<Key>, reads: Bool = false, attempts: Int = 0, _ body: () throws -> R
  ) throws -> R {
    let thread = ThreadTurns.current
    if thread.isInTurn(of: ObjectIdentifier(self)), try isInside(thread, scope, reads: reads) {
      return try body()
    }
    switch scope {
    case .key(let key):
      let hash = Self.hash(key)
      let runner = Runner(thread)
      if take(key, hash, by: runner) || takeSoon(key, hash, by: runner, attempts: attempts) {
        defer { release(key, hash) }
        return try thread.hold(self, scope, reads: reads, body)
      }
    case .keys(let keys):
      if let batch = take(keys, by: Runner(thread)) {
        defer { release(batch) }
        return try thread.hold(self, scope, reads: reads, body)
      }
    case .everything: break
    }
    let turns = try block(for: scope, reads: reads, thread)
    defer { for turn in turns { leave(turn) } }
    return try thread.hold(self, scope, reads: reads, body)
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

  /// Runs `body` as if this thread had the key's turn: a write of the key inside it throws `.deadlock`.
  @inlinable
  package func refusingWrites<R>(of key: Key, _ body: () throws -> R) rethrows -> R {
    try ThreadTurns.current.hold(self, .key(key), reads: false, body)
  }

  /// Throws `.deadlock` if this thread is inside a turn of the key.
  @usableFromInline
  package func refuseInsideTurn(of key: Key) throws {
    let thread = ThreadTurns.current
    if thread.isInTurn(of: ObjectIdentifier(self)), thread.readsOnly(in: self, overlapping: .key(key)) != nil
    {
      throw Self.reentry(.key(key))
    }
  }

  /// Whether this thread is inside a turn of any order.
  @inlinable
  package static var isThreadInTurn: Bool { ThreadTurns.current.isInTurn }

  /// Returns whether the thread is already inside an overlapping turn. A read inside a turn sees its changes. A write
  /// inside a turn would be lost or repeat for ever, so it throws `.deadlock`.
  @usableFromInline
  func isInside(_ thread: ThreadTurns, _ scope: TurnScope<Key>, reads: Bool) throws -> Bool {
    guard let readsOnly = thread.readsOnly(in: self, overlapping: scope) else { return false }
    guard reads || readsOnly else { throw Self.reentry(scope) }
    return true
  }

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
    if thread.isInTurn ? barge(turn) : enter(turn) { return turn }
    // A thread may hold turns itself, or run a task that holds turns or is part of an operation that does.
    let tasks = OngoingOperation.runners
    let runners = thread.isInTurn || !tasks.isEmpty ? [Runner(thread)] + tasks : []
    guard WaitGraph.enter(turn, by: runners) else { throw Self.circle(scope) }
    let signal = ThreadSignal()
    whenReady(turn) { _ in signal.wake() }
    signal.wait { waitsForTask(turn) }
    WaitGraph.leave(turn, by: runners)
    let hasBegun = hasBegun(turn, by: Runner(thread))
    assert(hasBegun, "a thread is woken before its turn has come")
    return turn
  }
}
