/// The slow path, for keys with waiters. All of it runs under the table's lock.
extension KeyOrder {
  /// Returns whether a turn has come.
  package func hasCome(_ turn: Turn<Key>) -> Bool { table.withLock { _ in turn.missing == 0 } }

  /// Returns whether a turn has come. If so, records its runner.
  func hasBegun(_ turn: Turn<Key>, by runner: Runner) -> Bool {
    table.withLock { table in
      guard turn.missing == 0 else { return false }
      turn.run(by: runner)
      pass(turn.taken, to: runner, table.turns)
      return true
    }
  }

  /// Calls `wake` when the turn has come, on the thread that ends the preceding turn; calls it now if the turn has
  /// already come. `wake` must be short.
  package func whenReady(_ turn: Turn<Key>, _ wake: @escaping Turn<Key>.Waker) {
    let outcome: Result<Void, any Error>? = table.withLock { _ in
      if turn.isAbandoned { return .failure(CancellationError()) }
      if turn.missing == 0 { return .success(()) }
      turn.waker = wake
      return nil
    }
    if let outcome { wake(outcome) }
  }

  /// Cancels a waiting turn: its waiter is woken with `CancellationError`. Does nothing if the turn has come.
  package func abandon(_ turn: Turn<Key>) { giveUp(turn)?() }

  /// Removes a turn that has not come from all its queues. Returns a closure that wakes its waiter and the waiters of
  /// the turns that have come by the removal, or `nil` if the turn has already come.
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

  /// Ends a turn and wakes the waiters of the turns that come next.
  @usableFromInline
  package func leave(_ turn: Turn<Key>) {
    if let taken = turn.taken { return release(taken, of: turn) }
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

  /// Ends the running turn of a key that has a queue. If the next turn in the queue is a read, passes it the result
  /// that this one has read.
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

  /// Enters the queues of a turn. Returns whether the turn has come at once.
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

  /// Enters the queue of a single key ahead of all turns that do not run yet; any other turn enters its queues as
  /// usual. Returns whether the turn has come at once.
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

  /// Returns whether a turn of a key waits for a task, or for a turn whose runner is not known yet. Otherwise all turns
  /// ahead of it belong to threads, each of which runs or has checked the same for its own wait.
  func waitsForTask(_ turn: Turn<Key>) -> Bool {
    table.withLock { table in
      guard case .key(let key) = turn.scope, table.turns.lines[key] != nil else { return true }
      return table.turns.ahead(of: turn, key: key) { !$0.runner.isThread }.contains { !$0.runner.isThread }
    }
  }

  /// Records for each turn that it has become first in one more queue. Returns the wakers of the turns that are now
  /// first in all of their queues.
  private static func advance(_ firsts: [Turn<Key>]) -> [Turn<Key>.Waker] {
    firsts.compactMap { turn in
      turn.missing -= 1
      guard turn.missing == 0 else { return nil }
      defer { turn.waker = nil }
      return turn.waker
    }
  }

  // MARK: The table and the shards

  /// Marks a key in its shard as having a queue. If the key was taken by the fast path, creates the queue in the table,
  /// with the key's current runner first.
  private func line(up key: Key, _ turns: inout TurnTable<Key, Turn<Key>>) {
    let hash = Self.hash(key)
    guard let use = shards[hash].pointee.withLock({ $0.line(up: key, hash: hash) }) else { return }
    _ = turns.enter(Turn(order: self, scope: .key(key), reads: false, runner: use.runner), key: key)
  }

  /// Removes a key from its shard if it no longer has a queue.
  private func settle(_ key: Key, _ turns: borrowing TurnTable<Key, Turn<Key>>) {
    if turns.lines[key] != nil { return }
    let hash = Self.hash(key)
    shards[hash].pointee.withLock { $0.endLine(key, hash: hash) }
  }

  /// Changes the places of a turn in the table, then updates the shards. Keys whose queues have ended are removed, and
  /// keys whose queues a removed fence has released are marked. Without any fence left, the shards are opened.
  private func change(
    _ table: inout Table, _ turn: Turn<Key>, _ change: (inout TurnTable<Key, Turn<Key>>) -> [Turn<Key>]
  ) -> [Turn<Key>] {
    let behind = table.turns.fences.first { $0.member === turn }?.behind.all.map(\.key) ?? []
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

  /// Closes the fast path, and creates the queues of all keys in use.
  private func close(_ turns: inout TurnTable<Key, Turn<Key>>) {
    var batches: [ObjectIdentifier: (batch: KeyBatch<Key>, shards: UInt64)] = [:]
    for shard in 0..<shards.count {
      let (uses, inShard) = shards[shard].pointee.withLock { ($0.close(), $0.batches) }
      for use in uses { queue(use.key, &turns) }
      for batch in inShard {
        batches[ObjectIdentifier(batch), default: (batch, 0)].shards |= 1 << UInt64(shard)
      }
    }
    for (batch, closed) in batches.values {
      for key in batch.keys where closed & KeyBatch.shard(of: key, count: shards.count) != 0 {
        queue(key, &turns)
      }
    }
  }

  /// Creates the queue of a key in use. The key may have been released meanwhile: then it needs none.
  private func queue(_ key: Key, _ turns: inout TurnTable<Key, Turn<Key>>) {
    line(up: key, &turns)
    settle(key, turns)
  }

  private func open() {
    for index in 0..<shards.count { shards[index].pointee.withLock { $0.isClosed = false } }
  }
}
