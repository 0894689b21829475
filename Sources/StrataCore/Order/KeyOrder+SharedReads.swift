/// Reads of one key that wait for each other: the first reads for all.
///
/// No write came between two readers that stand in line one right behind the other, so what the first finds, be it
/// nothing or a failure, is what the second would find. Only a task that was cancelled keeps its failure to itself.
extension KeyOrder {
  /// Reads when the turn of the key has come, unless the reader before has the answer; blocks the thread until then.
  @inlinable
  package func sharedRead<R: Sendable>(of key: Key, _ read: () throws -> R) throws -> R {
    let thread = ThreadTurns.current
    let scope = TurnScope.key(key)
    if thread.isInTurn(of: ObjectIdentifier(self)), try isInside(thread, scope, reads: true) {
      return try read()
    }
    let hash = key.hashValue
    if take(key, hash, by: Runner(thread)) {
      let found = Result { try thread.hold(self, scope, reads: true, read) }
      release(key, hash, found)
      return try found.get()
    }
    let turn = try block(for: scope, reads: true, thread)[0]
    defer { leave(turn) }
    if let found = turn.finding(as: R.self) { return try found.get() }
    return try turn.note(Result { try thread.hold(self, scope, reads: true, read) }).get()
  }

  /// Reads when the turn of the key has come, unless the reader before has the answer; suspends the task until then.
  @inlinable
  package func sharedRead<R: Sendable>(of key: Key, _ read: () async throws -> R) async throws -> R {
    let hash = key.hashValue
    guard take(key, hash, by: .currentTask) else { return try await sharedReadInLine(key, read) }
    let found = await Result(of: read)
    release(key, hash, found)
    return try found.get()
  }

  @usableFromInline
  func sharedReadInLine<R: Sendable>(_ key: Key, _ read: () async throws -> R) async throws -> R {
    let turn = line(up: .key(key), reads: true)
    try await wait(for: turn)
    defer { leave(turn) }
    if let found = turn.finding(as: R.self) { return try found.get() }
    return try await turn.note(Result(of: read)).get()
  }

  /// Gives back a key that was taken to read it, and what was found to the next reader in line.
  @inlinable
  func release<R: Sendable>(_ key: Key, _ hash: Int, _ found: Result<R, any Error>) {
    if shards[hash].pointee.withLock({ $0.release(key, hash: hash) }) { return }
    leaveLine(of: key, finding: found.isForOthers ? found : nil)
  }
}

extension Turn {
  /// What the reader before has found.
  @inlinable
  func finding<R: Sendable>(as type: R.Type) -> Result<R, any Error>? {
    finding as? Result<R, any Error>
  }

  /// Keeps what was read for the next in line.
  @inlinable
  func note<R: Sendable>(_ found: Result<R, any Error>) -> Result<R, any Error> {
    if found.isForOthers { finding = found }
    return found
  }
}

extension Result where Failure == any Error {
  /// Whether it says something of the store, and not of the task that has been cancelled.
  @inlinable
  var isForOthers: Bool {
    if case .failure = self, Task.isCancelled { false } else { true }
  }
}
