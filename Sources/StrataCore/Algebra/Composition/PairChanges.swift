public import Synchronization

/// Keeps changes of one key from interleaving, and tells who reads past them whether one was going on.
@usableFromInline
final class PairChanges<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let order: KeyOrder<Key>
  @usableFromInline let begun = Atomic(0)
  @usableFromInline let ended = Atomic(0)

  /// Makes a change in its turn; blocks until then.
  func make(_ scope: TurnScope<Key>, _ change: () throws -> Void) throws {
    try order.withTurn(scope) {
      begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer { ended.wrappingAdd(1, ordering: .sequentiallyConsistent) }
      try change()
    }
  }

  /// Makes a change in its turn; suspends until then.
  func make(_ scope: TurnScope<Key>, _ change: () async throws -> Void) async throws {
    try await order.withTurn(scope) {
      begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer { ended.wrappingAdd(1, ordering: .sequentiallyConsistent) }
      try await change()
    }
  }

  init(tasksMayWait: Bool) { order = KeyOrder(tasksMayWait: tasksMayWait) }

  /// What `look` sees, unless a change of any key was going on meanwhile.
  @inlinable
  func undisturbed<R>(_ look: () -> R?) -> R? {
    let ended = ended.load(ordering: .sequentiallyConsistent)
    guard begun.load(ordering: .sequentiallyConsistent) == ended else { return nil }
    let seen = look()
    return begun.load(ordering: .sequentiallyConsistent) == ended ? seen : nil
  }
}
