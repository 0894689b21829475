/// Where somebody waits: all of this is done under the lock of the table.
extension KeyOrder {
  /// Whether a turn has come.
  package func hasCome(_ turn: Turn<Key>) -> Bool { table.withLock { _ in turn.missing == 0 } }

  /// Whether a turn has come; then it is noted who runs in it.
  func hasBegun(_ turn: Turn<Key>, by runner: Runner) -> Bool {
    table.withLock { _ in
      guard turn.missing == 0 else { return false }
      turn.run(by: runner)
      return true
    }
  }

  /// Calls `wake` when the turn has come, on the thread that left before it, or now if it has. `wake` must not run for
  /// long.
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
  package func abandon(_ turn: Turn<Key>) { giveUp(turn)?() }

  /// Leaves all lines of a turn that has not come. Returns what wakes those whose turn it is by that, and its own
  /// waiter.
  func giveUp(_ turn: Turn<Key>) -> (@Sendable () -> Void)? {
    table.withLock { table in
      guard turn.missing > 0, !turn.isAbandoned else { return nil }
      turn.isAbandoned = true
      turn.run(by: .nobody)
      let own = turn.waker
      turn.waker = nil
      let wakers = Self.advance(
        change(&table, turn) { turns in
          switch turn.scope {
          case .key(let key): turns.giveUp(turn, key: key).map { [$0] } ?? []
          case .keys(let keys): keys.compactMap { turns.giveUp(turn, key: $0) }
          case .everything: turns.giveUpFence(turn)
          }
        })
      return {
        own?(.failure(CancellationError()))
        for waker in wakers { waker(.success(())) }
      }
    }
  }

  /// Ends a turn; those whose turn it is now go on.
  @usableFromInline
  package func leave(_ turn: Turn<Key>) {
    if case .key(let key) = turn.scope { return leaveLine(of: key, finding: turn.finding) }
    let wakers = table.withLock { table in
      turn.run(by: .nobody)
      return Self.advance(
        change(&table, turn) { turns in
          if case .keys(let keys) = turn.scope { return keys.compactMap { turns.leave(key: $0) } }
          return turns.leaveFence()
        })
    }
    for waker in wakers { waker(.success(())) }
  }

  /// Ends the turn of the one who has a key that has a line; tells the next what was found, if it is a reader too.
  @usableFromInline
  func leaveLine(of key: Key, finding: (any Sendable)?) {
    let wakers = table.withLock { table in
      table.turns.lines[key]?.first.run(by: .nobody)
      guard let next = table.turns.leave(key: key) else {
        settle(key, table.turns)
        return [Turn<Key>.Waker]()
      }
      if let finding, next.reads, case .key = next.scope { next.finding = finding }
      settle(key, table.turns)
      return Self.advance([next])
    }
    for waker in wakers { waker(.success(())) }
  }

  /// Whether the turn has come at once.
  func enter(_ turn: Turn<Key>) -> Bool {
    table.withLock { table in
      switch turn.scope {
      case .key(let key): enter(turn, key, &table.turns)
      case .keys(let keys): for key in keys { enter(turn, key, &table.turns) }
      case .everything:
        if table.turns.fences.isEmpty { close(&table.turns) }
        turn.missing = table.turns.enterFence(turn) ? 0 : 1
      }
      return turn.missing == 0
    }
  }

  private func enter(_ turn: Turn<Key>, _ key: Key, _ turns: inout TurnTable<Key, Turn<Key>>) {
    line(up: key, &turns)
    if !turns.enter(turn, key: key) { turn.missing += 1 }
    settle(key, turns)
  }

  /// Enters ahead of those who do not run yet, if it is a turn of one key. Whether the turn has come at once.
  func barge(_ turn: Turn<Key>) -> Bool {
    guard case .key(let key) = turn.scope else { return enter(turn) }
    return table.withLock { table in
      line(up: key, &table.turns)
      let place = table.turns.barge(turn, key: key) { $0.missing == 0 }
      if !place.isFirst { turn.missing += 1 }
      place.pushedBack?.missing += 1
      settle(key, table.turns)
      return turn.missing == 0
    }
  }

  func obstacles(of turn: Turn<Key>) -> [AnyTurn.Obstacle] {
    table.withLock { table in
      if turn.isAbandoned { return [] }
      if turn.missing == 0 { return [.runner(turn.runner)] }
      let ahead =
        switch turn.scope {
        case .key(let key): table.turns.ahead(of: turn, key: key, holdsUp: \.hasSeveralLines)
        case .keys(let keys):
          keys.flatMap { table.turns.ahead(of: turn, key: $0, holdsUp: \.hasSeveralLines) }
        case .everything: table.turns.ahead(ofFence: turn, holdsUp: \.hasSeveralLines)
        }
      return ahead.map { $0.missing == 0 ? .runner($0.runner) : .turn($0) }
    }
  }

  /// Counts those who have come first in a line; returns how to wake those whose turn it is now.
  private static func advance(_ firsts: [Turn<Key>]) -> [Turn<Key>.Waker] {
    firsts.compactMap { turn in
      turn.missing -= 1
      guard turn.missing == 0 else { return nil }
      defer { turn.waker = nil }
      return turn.waker
    }
  }

  // MARK: The table and the shards

  /// Gives a key a line in the shard; in the table too if it was taken by the quick way: then whoever took it stands
  /// first.
  private func line(up key: Key, _ turns: inout TurnTable<Key, Turn<Key>>) {
    let hash = key.hashValue
    guard let use = shards[hash].pointee.withLock({ $0.line(up: key, hash: hash) }) else { return }
    _ = turns.enter(Turn(order: self, scope: .key(key), reads: false, runner: use.runner), key: key)
  }

  /// Lets go of a key in the shard if it has no line any more.
  private func settle(_ key: Key, _ turns: borrowing TurnTable<Key, Turn<Key>>) {
    if turns.lines[key] != nil { return }
    let hash = key.hashValue
    shards[hash].pointee.withLock { $0.endLine(key, hash: hash) }
  }

  /// Changes the places of a turn, then lets the shards know: of the keys whose lines have ended, of those whose lines
  /// begin because a fence is gone, and of there being no fence any more.
  private func change(
    _ table: inout Table, _ turn: Turn<Key>, _ change: (inout TurnTable<Key, Turn<Key>>) -> [Turn<Key>]
  ) -> [Turn<Key>] {
    let behind = table.turns.fences.first { $0.member === turn }?.behind.map(\.key) ?? []
    let firsts = change(&table.turns)
    switch turn.scope {
    case .key(let key): settle(key, table.turns)
    case .keys(let keys): for key in keys { settle(key, table.turns) }
    case .everything:
      for key in behind where table.turns.lines[key] != nil { line(up: key, &table.turns) }
      if table.turns.fences.isEmpty { open() }
    }
    return firsts
  }

  private func close(_ turns: inout TurnTable<Key, Turn<Key>>) {
    for index in 0..<shards.count {
      for use in shards[index].pointee.withLock({ $0.close() }) { line(up: use.key, &turns) }
    }
  }

  private func open() {
    for index in 0..<shards.count { shards[index].pointee.withLock { $0.isClosed = false } }
  }
}
