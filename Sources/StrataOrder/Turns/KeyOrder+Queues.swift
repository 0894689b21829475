// The slow path, for keys with waiters, and for turns that another thread runs than the one that has taken their keys.
// All of it runs with the table's lock.
//
// The first waiter of a key creates its queue, with the current holder of the key as its first member. When a key with
// a queue is released, the table selects the next turn.

// MARK: The states of a turn

extension KeyOrder {
  /// Takes the keys of a scope if they are free, and enters their queues otherwise. The caller must then call
  /// `wait(for:)`, or `whenReady` and `running`, and in the end `leave`.
  package func turn(of scope: TurnScope<Key>) -> Turn<Key> {
    switch scope {
    case .key(let key):
      let hash = Self.hash(key)
      if take(key, hash, by: .nobody) { return Turn(order: self, scope: scope, taken: .key(key, hash: hash)) }
    case .keys(let keys):
      if let batch = take(keys, by: .nobody) { return Turn(order: self, scope: scope, taken: .batch(batch)) }
    case .everything: break
    }
    return line(up: scope)
  }

  /// Enters the queues of a scope. `turn(of:)` does so only if the keys are in use. The caller must then call
  /// `wait(for:)` and, unless it throws, `leave`.
  package func line(up scope: TurnScope<Key>, reads: Bool = false) -> Turn<Key> {
    let turn = Turn(order: self, scope: scope, reads: reads)
    _ = enter(turn)
    return turn
  }

  /// Enters the queues of a turn. Returns whether the turn has come at once.
  ///
  /// - Parameter ahead: whether a turn of a single key goes ahead of all turns that do not run yet.
  func enter(_ turn: Turn<Key>, ahead: Bool = false) -> Bool {
    table.withLock { table in
      switch turn.scope {
      case .key(let key): enter(turn, key, ahead: ahead, &table)
      case .keys(let keys): for key in keys { enter(turn, key, &table) }
      case .everything:
        if table.fences.isEmpty { close(&table) }
        if !table.enterFence(turn) { turn.missing = 1 }
      }
      return turn.missing == 0
    }
  }

  private func enter(_ turn: Turn<Key>, _ key: Key, ahead: Bool = false, _ table: inout Table) {
    line(up: key, &table)
    let isFirst: Bool
    if ahead {
      let place = table.barge(turn, key: key) { $0.missing == 0 }
      isFirst = place.isFirst
      place.pushedBack?.missing += 1
    } else {
      isFirst = table.enter(turn, key: key)
    }
    if !isFirst { turn.missing += 1 }
    settle(key, table)
  }

  /// Returns whether a turn has come.
  package func hasCome(_ turn: Turn<Key>) -> Bool { table.withLock { _ in turn.missing == 0 } }

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

  /// Returns whether a turn has come. If so, records its runner, also in the queues that have formed behind keys of the
  /// fast path: waiters there wait for this runner.
  func hasBegun(_ turn: Turn<Key>, by runner: Runner) -> Bool {
    table.withLock { table in
      guard turn.missing == 0 else { return false }
      turn.run(by: runner)
      switch turn.taken {
      case nil: break
      case .key(let key, let hash)?:
        shards[hash].pointee.withLock { $0.pass(key, hash: hash, to: runner) }
        if !table.queues.isEmpty { table.queues[key]?.first.run(by: runner) }
      case .batch(let batch)?:
        batch.runner = runner
        if !table.queues.isEmpty { for key in batch.keys { table.queues[key]?.first.run(by: runner) } }
      }
      return true
    }
  }

  /// Ends a turn and wakes the waiters of the turns that come next.
  @usableFromInline
  package func leave(_ turn: Turn<Key>) {
    let wakers = table.withLock { table in
      if turn.taken == nil { return end(turn, finding: turn.finding, &table) }
      turn.run(by: .nobody)
      return []
    }
    for waker in wakers { waker(.success(())) }
    switch turn.taken {
    case nil: break
    case .key(let key, let hash)?: release(key, hash, finding: turn.finding)
    case .batch(let batch)?: release(batch)
    }
  }

  /// Ends the turn of a key that the fast path has taken, and behind which a queue has formed.
  @usableFromInline
  func leaveQueue(of key: Key, finding: (any Sendable)?) {
    let wakers = table.withLock { table in
      table.queues[key].map { end($0.first, finding: finding, &table) } ?? []
    }
    for waker in wakers { waker(.success(())) }
  }

  /// Cancels a waiting turn: its waiter is woken with `CancellationError`. Does nothing if the turn has come.
  package func abandon(_ turn: Turn<Key>) { giveUp(turn)?() }

  /// Removes a turn that has not come from all its queues. Returns a closure that wakes its waiter and the waiters of
  /// the turns that have come by the removal, or `nil` if the turn has already come.
  func giveUp(_ turn: Turn<Key>) -> (@Sendable () -> Void)? {
    table.withLock { table in
      guard turn.missing > 0, !turn.isAbandoned else { return nil }
      turn.isAbandoned = true
      let own = turn.waker.take()
      let wakers = end(turn, finding: nil, &table)
      return {
        own?(.failure(CancellationError()))
        for waker in wakers { waker(.success(())) }
      }
    }
  }

  /// Removes a turn from all its queues. If the next turn in the queue is a read, passes it the result that this one
  /// has read. Returns the wakers of the turns that are now first in all of their queues.
  private func end(_ turn: Turn<Key>, finding: (any Sendable)?, _ table: inout Table) -> [Turn<Key>.Waker] {
    turn.run(by: .nobody)
    let firsts: [Turn<Key>]
    switch turn.scope {
    case .key(let key): firsts = leave(turn, key, &table).map { [$0] } ?? []
    case .keys(let keys): firsts = keys.compactMap { leave(turn, $0, &table) }
    case .everything: firsts = leaveFence(turn, &table)
    }
    guard let next = firsts.first else { return [] }
    if let finding, next.reads, case .key = next.scope { next.finding = finding }
    return firsts.compactMap { next in
      next.missing -= 1
      return next.missing == 0 ? next.waker.take() : nil
    }
  }

  private func leave(_ turn: Turn<Key>, _ key: Key, _ table: inout Table) -> Turn<Key>? {
    defer { settle(key, table) }
    return table.leave(turn, key: key)
  }

  private func leaveFence(_ turn: Turn<Key>, _ table: inout Table) -> [Turn<Key>] {
    let behind = table.fences.first { $0.member === turn }?.behind.all.map { $0.key } ?? []
    let firsts = table.leaveFence(turn)
    for key in behind where table.queues[key] != nil { line(up: key, &table) }
    if table.fences.isEmpty {
      for shard in 0..<shards.count { shards[shard].pointee.withLock { $0.isClosed = false } }
    }
    return firsts
  }
}

// MARK: The table and the shards

extension KeyOrder {
  /// Marks a key in its shard as having a queue. If the key was taken by the fast path, creates the queue in the table,
  /// with the key's current runner first.
  private func line(up key: Key, _ table: inout Table) {
    let hash = Self.hash(key)
    guard let use = shards[hash].pointee.withLock({ $0.line(up: key, hash: hash) }) else { return }
    _ = table.enter(Turn(order: self, scope: .key(key), runner: use.runner), key: key)
  }

  /// Removes a key from its shard if it has no queue.
  private func settle(_ key: Key, _ table: borrowing Table) {
    if table.queues[key] != nil { return }
    let hash = Self.hash(key)
    shards[hash].pointee.withLock { $0.endQueue(of: key, hash: hash) }
  }

  /// Closes the fast path, and creates the queues of all keys in use.
  private func close(_ table: inout Table) {
    var keys: [Key] = []
    var batches: [ObjectIdentifier: KeyBatch<Key>] = [:]
    for shard in 0..<shards.count {
      let (single, together) = shards[shard].pointee.withLock { ($0.close(), $0.batches) }
      keys += single
      for batch in together { batches[ObjectIdentifier(batch)] = batch }
    }
    for batch in batches.values { keys += batch.keys }
    for key in keys {
      line(up: key, &table)
      // The key may have been released meanwhile: then it needs no queue.
      settle(key, table)
    }
  }
}
