public import StrataCore
public import Synchronization

/// Orders the changes of each key, and detects changes that were in progress during an unordered read.
@usableFromInline
final class PairChanges<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let order: KeyOrder<Key>
  @usableFromInline let begun = Atomic(0)
  @usableFromInline let ended = Atomic(0)

  init(order: KeyOrder<Key>) { self.order = order }

  /// Records that a change begins. The caller must have its turn, and call `end` after the change.
  func begin() { begun.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  func end() { ended.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Returns the result of `look`, or `nil` if a change of any key was in progress meanwhile.
  @inlinable
  func undisturbed<R>(_ look: () -> R?) -> R? {
    let ended = ended.load(ordering: .sequentiallyConsistent)
    guard begun.load(ordering: .sequentiallyConsistent) == ended else { return nil }
    let seen = look()
    return begun.load(ordering: .sequentiallyConsistent) == ended ? seen : nil
  }
}
