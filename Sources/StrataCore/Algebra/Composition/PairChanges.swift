public import Synchronization

/// Orders the changes of each key, and detects changes that were in progress during an unordered read.
@usableFromInline
final class PairChanges<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let order: KeyOrder<Key>
  @usableFromInline let begun = Atomic(0)
  @usableFromInline let ended = Atomic(0)

  /// Performs a change in its turn. Blocks the thread until then.
  func make(_ scope: TurnScope<Key>, _ change: () throws -> Void) throws {
    try order.withTurn(scope) {
      begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer { ended.wrappingAdd(1, ordering: .sequentiallyConsistent) }
      try change()
    }
  }

  /// Performs a change in its turn. Suspends the task until then.
  func make(_ scope: TurnScope<Key>, _ change: () async throws -> Void) async throws {
    try await order.withTurn(scope) {
      begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
      defer { ended.wrappingAdd(1, ordering: .sequentiallyConsistent) }
      try await change()
    }
  }

  init(order: KeyOrder<Key>) { self.order = order }

  /// Returns the result of `look`, or `nil` if a change of any key was in progress meanwhile.
  @inlinable
  func undisturbed<R>(_ look: () -> R?) -> R? {
    let ended = ended.load(ordering: .sequentiallyConsistent)
    guard begun.load(ordering: .sequentiallyConsistent) == ended else { return nil }
    let seen = look()
    return begun.load(ordering: .sequentiallyConsistent) == ended ? seen : nil
  }
}
