/// Turns that are in no queue: turns whose keys the fast path has taken, and which another thread may run.
extension KeyOrder {
  /// Takes the keys of a scope if they are free, and enters their queues otherwise. The caller must then call
  /// `wait(for:)`, or `whenReady` and `running`, and in the end `leave`.
  package func turn(of scope: TurnScope<Key>) -> Turn<Key> {
    guard let taken = take(scope) else { return line(up: scope) }
    return Turn(order: self, scope: scope, reads: false, runner: .nobody, taken: taken)
  }

  private func take(_ scope: TurnScope<Key>) -> Turn<Key>.Taken? {
    switch scope {
    case .key(let key):
      let hash = Self.hash(key)
      return take(key, hash, by: .nobody) ? .key(key, hash: hash) : nil
    case .keys(let keys): return take(keys, by: .nobody).map { .batch($0) }
    case .everything: return nil
    }
  }

  /// Records the runner of taken keys, also in the queues that have formed behind them: whoever waits there waits for
  /// this runner. The caller must hold the table's lock.
  func pass(_ taken: Turn<Key>.Taken?, to runner: Runner, _ turns: borrowing TurnTable<Key, Turn<Key>>) {
    switch taken {
    case nil: break
    case .key(let key, let hash):
      let hasLine = shards[hash].pointee.withLock { $0.pass(key, hash: hash, to: runner) }
      if hasLine { turns.lines[key]?.first.run(by: runner) }
    case .batch(let batch):
      batch.runner = runner
      if turns.lines.isEmpty { return }
      for key in batch.keys { turns.lines[key]?.first.run(by: runner) }
    }
  }

  /// Releases the keys of a turn.
  func release(_ taken: Turn<Key>.Taken, of turn: Turn<Key>) {
    table.withLock { _ in turn.run(by: .nobody) }
    switch taken {
    case .key(let key, let hash):
      if shards[hash].pointee.withLock({ $0.release(key, hash: hash) }) { return }
      leaveLine(of: key, finding: turn.finding)
    case .batch(let batch): release(batch)
    }
  }
}
