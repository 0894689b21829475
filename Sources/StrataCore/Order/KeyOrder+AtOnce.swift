extension KeyOrder {
  /// Runs a read in the turn of a key if it comes at once. Throws `WouldWait` if others have the key or wait for it.
  @inlinable
  package func atOnce<R>(_ key: Key, _ read: () throws -> R) throws -> R {
    let turn = Turn(order: self, scope: .key(key), reads: true)
    guard table.withLock({ $0.turns.enterIfFree(turn, key: key) }) else { throw WouldWait() }
    defer { leave(turn) }
    return try ThreadTurns.current.hold(turn, read)
  }
}
