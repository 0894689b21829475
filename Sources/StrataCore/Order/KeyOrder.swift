/// Keeps operations on one key from interleaving, and lets those on different keys run side by side.
///
/// Threads and tasks stand in the same lines, first come first served: a thread waits by blocking, a task by suspending.
/// An operation may take one key, several, or everything (then it runs alone).
///
/// **Nothing waits for itself.** A thread that has a turn may ask for another from inside a callback: it passes those that
/// only wait, and throws `.deadlock` if the turn could never come. A task that has a turn waits in line for another one, and
/// throws `.deadlock` if that one waits for the task. Tasks that it has started are not known to be part of it.
///
/// O(1) an operation. The lock is held for a look into a dictionary, never while an operation runs.
@usableFromInline
package final class KeyOrder<Key: Hashable & Sendable>: Sendable {
  /// Unchecked: turns are only touched under the lock that holds this table.
  @usableFromInline
  struct Table: @unchecked Sendable {
    @usableFromInline var turns = TurnTable<Key, Turn<Key>>()
  }

  @usableFromInline let table = Locked(Table())

  package init() {}

  // MARK: Threads

  /// Runs `body` when its turn has come; blocks the thread until then.
  @inlinable
  @discardableResult
  package func withTurn<R>(
    _ scope: TurnScope<Key>, reads: Bool = false, _ body: () throws -> R
  ) throws -> R {
    try takingTurn(scope, reads: reads) { _ in try body() }
  }

  /// The same, with the turn that was taken for `body`, or `nil` inside one that the thread had already.
  @inlinable
  func takingTurn<R>(
    _ scope: TurnScope<Key>, reads: Bool, _ body: (Turn<Key>?) throws -> R
  ) throws -> R {
    let thread = ThreadTurns.current
    if !thread.held.isEmpty, let outer = thread.turn(in: self, overlapping: scope) {
      // A read inside the turn of its own key sees what the turn sees. A write would be lost or would loop.
      guard reads || outer.reads else { throw Self.reentry(scope) }
      return try body(nil)
    }
    let turn = Turn(order: self, scope: scope, reads: reads)
    if thread.held.isEmpty {
      if !enter(turn) { block(for: turn) }
    } else if !barge(turn) {
      try block(for: turn, while: thread)
    }
    defer { leave(turn) }
    return try thread.hold(turn) { try body(turn) }
  }

  /// Marks this thread as the one that runs `body` in a turn that a task waited for.
  package func running<R>(_ turn: Turn<Key>, _ body: () throws -> R) rethrows -> R {
    try ThreadTurns.current.hold(turn, body)
  }

  /// Runs `body` as if this thread had the turn of a key: to write the key from inside it throws `.deadlock`.
  package func refusingWrites<R>(of key: Key, _ body: () throws -> R) rethrows -> R {
    try ThreadTurns.current.hold(Turn(order: self, scope: .key(key), reads: false), body)
  }

  /// Throws if this thread is inside a turn of the key.
  @usableFromInline
  package func refuseInsideTurn(of key: Key) throws {
    if ThreadTurns.current.turn(in: self, overlapping: .key(key)) != nil { throw Self.reentry(.key(key)) }
  }

  /// Whether this thread is inside a turn, of this order or another.
  package static var isThreadInTurn: Bool { !ThreadTurns.current.held.isEmpty }

  // MARK: Tasks

  /// Runs `body` when its turn has come; suspends the task until then. Throws `CancellationError` if the task is
  /// cancelled while it waits; once `body` has started it is left alone.
  @discardableResult
  package func withTurn<R: Sendable>(
    _ scope: TurnScope<Key>, _ body: () async throws -> R
  ) async throws -> R {
    let turn = line(up: scope)
    try await wait(for: turn)
    defer { leave(turn) }
    return try await body()
  }

  /// Takes a place in the order. `wait(for:)` must follow, and then, unless that threw, `leave`.
  package func line(up scope: TurnScope<Key>, reads: Bool = false) -> Turn<Key> {
    let turn = Turn(order: self, scope: scope, reads: reads)
    _ = enter(turn)
    return turn
  }

  /// Whether a turn has come.
  package func hasCome(_ turn: Turn<Key>) -> Bool { table.withLock { _ in turn.missing == 0 } }

  /// Suspends until the turn has come; it then belongs to this task.
  package func wait(for turn: Turn<Key>) async throws {
    if !hasCome(turn) {
      try await waiting(for: turn) {
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            whenReady(turn) { continuation.resume(with: $0) }
          }
        } onCancel: {
          abandon(turn)
        }
      }
    }
    turn.task.set(.current)
  }

  /// Runs `wait` while this task counts as waiting for a turn; throws `.deadlock` if the turn waits for this task.
  package func waiting<R>(for turn: Turn<Key>, _ wait: () async throws -> R) async throws -> R {
    try await WaitingTasks.waiting(
      for: turn, giveUp: { hasGivenUp(turn) }, circle: Self.circle(turn.scope), wait)
  }

  /// Gives up a turn that has not come; returns whether it had not.
  private func hasGivenUp(_ turn: Turn<Key>) -> Bool {
    table.withLock { _ in
      if turn.missing == 0 { return false }
      turn.isAbandoned = true
      return true
    }
  }

  /// Calls `wake` when the turn has come, on the thread that left before it, or now if it has. `wake` must not run for long.
  package func whenReady(_ turn: Turn<Key>, _ wake: @escaping Turn<Key>.Waker) {
    let outcome: Result<Void, any Error>? = table.withLock { _ in
      if turn.isAbandoned { return .failure(CancellationError()) }
      if turn.missing == 0 { return .success(()) }
      turn.waker = wake
      return nil
    }
    if let outcome { wake(outcome) }
  }

  /// Gives up waiting for a turn: it wakes with `CancellationError`. Does nothing if the turn has come.
  package func abandon(_ turn: Turn<Key>) {
    let waker = table.withLock { _ in
      guard turn.missing > 0 else { return nil as Turn<Key>.Waker? }
      turn.isAbandoned = true
      defer { turn.waker = nil }
      return turn.waker
    }
    waker?(.failure(CancellationError()))
  }

  /// Ends a turn; those whose turn it is now go on.
  @inlinable
  package func leave(_ turn: Turn<Key>) {
    let wakers: [Turn<Key>.Waker] = table.withLock { table in
      guard case .key(let key) = turn.scope else {
        return Self.advance(Self.remove(turn, from: &table.turns), in: &table.turns)
      }
      guard let next = Self.leaveLine(turn, of: key, in: &table.turns) else { return [] }
      return Self.advance([next], in: &table.turns)
    }
    for waker in wakers { waker(.success(())) }
  }

  // MARK: Lines

  /// Counts those who have come first in a line; returns how to wake those whose turn it is now.
  @usableFromInline
  static func advance(
    _ firsts: [Turn<Key>], in turns: inout TurnTable<Key, Turn<Key>>
  ) -> [Turn<Key>.Waker] {
    var firsts = firsts
    var wakers: [Turn<Key>.Waker] = []
    while let turn = firsts.popLast() {
      turn.missing -= 1
      guard turn.missing == 0 else { continue }
      if turn.isAbandoned {
        firsts += remove(turn, from: &turns)
      } else if let waker = turn.waker {
        wakers.append(waker)
      }
      turn.waker = nil
    }
    return wakers
  }

  /// Whether the turn has come at once.
  @inlinable
  func enter(_ turn: Turn<Key>) -> Bool {
    table.withLock { table in
      switch turn.scope {
      case .key(let key): turn.missing = table.turns.enter(turn, key: key) ? 0 : 1
      case .keys(let keys): for key in keys where !table.turns.enter(turn, key: key) { turn.missing += 1 }
      case .everything: turn.missing = table.turns.enterFence(turn) ? 0 : 1
      }
      return turn.missing == 0
    }
  }

  /// Enters ahead of those who do not run yet. Whether the turn has come at once.
  @inlinable
  func barge(_ turn: Turn<Key>) -> Bool {
    if case .everything = turn.scope { return enter(turn) }
    return table.withLock { table in
      switch turn.scope {
      case .key(let key): Self.barge(turn, key: key, in: &table.turns)
      case .keys(let keys): for key in keys { Self.barge(turn, key: key, in: &table.turns) }
      case .everything: break
      }
      return turn.missing == 0
    }
  }

  @inlinable
  static func barge(_ turn: Turn<Key>, key: Key, in turns: inout TurnTable<Key, Turn<Key>>) {
    let place = turns.barge(turn, key: key) { $0.missing == 0 }
    if !place.isFirst { turn.missing += 1 }
    place.pushedBack?.missing += 1
  }

  @usableFromInline
  static func remove(
    _ turn: Turn<Key>, from turns: inout TurnTable<Key, Turn<Key>>
  ) -> [Turn<Key>] {
    switch turn.scope {
    case .key(let key): leaveLine(turn, of: key, in: &turns).map { [$0] } ?? []
    case .keys(let keys): keys.compactMap { turns.leave(key: $0) }
    case .everything: turns.leaveFence()
    }
  }

  /// Leaves the line of the one key of a turn; returns who has come first by that, told what the turn has found.
  @inlinable
  static func leaveLine(
    _ turn: Turn<Key>, of key: Key, in turns: inout TurnTable<Key, Turn<Key>>
  ) -> Turn<Key>? {
    let next = turns.leave(key: key)
    if let finding = turn.finding { hand(finding, to: next) }
    return next
  }

  @usableFromInline
  static func hand(_ finding: any Sendable, to next: Turn<Key>?) {
    if let next, next.reads, case .key = next.scope { next.finding = finding }
  }

  // MARK: Blocking

  @usableFromInline
  func block(for turn: Turn<Key>) {
    let signal = ThreadSignal()
    whenReady(turn) { _ in signal.wake() }
    signal.wait()
  }

  /// Blocks a thread that has turns of its own, unless one of those it would wait for waits for it.
  @usableFromInline
  func block(for turn: Turn<Key>, while thread: ThreadTurns) throws {
    thread.waiting.withLock { $0 = turn }
    defer { thread.waiting.withLock { $0 = nil } }
    let isBroken = WaitCircle.isBroken(from: turn, for: .thread(thread)) {
      hasGivenUp(turn)
    } forget: {
      thread.waiting.withLock { $0 = nil }
    }
    if isBroken { throw Self.circle(turn.scope) }
    block(for: turn)
  }

  func ahead(of turn: Turn<Key>) -> [AnyTurn] {
    table.withLock { table in
      guard turn.missing > 0 else { return [] }
      let firsts: [Turn<Key>] =
        switch turn.scope {
        case .key(let key): table.turns.first(key: key).map { [$0] } ?? []
        case .keys(let keys): keys.compactMap { table.turns.first(key: $0) }
        case .everything: table.turns.firsts
        }
      return firsts.filter { $0 !== turn }
    }
  }

  private static func circle(_ scope: TurnScope<Key>) -> StorageError {
    StorageError.deadlock.with(
      "this operation waits for one that waits for it: call a store before or after an operation on the same keys, not from inside it",
      key: key(of: scope))
  }

  private static func key(of scope: TurnScope<Key>) -> (any Sendable)? {
    if case .key(let key) = scope { key } else { nil }
  }

  @usableFromInline
  static func reentry(_ scope: TurnScope<Key>) -> StorageError {
    StorageError.deadlock.with(
      "a write from inside `update` of the same key: change the value that the closure is given instead",
      key: key(of: scope))
  }
}
