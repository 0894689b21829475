public import StrataCore
public import Synchronization

/// Counts the hits of a loading store. Threads that count do not wait for each other.
@usableFromInline
final class HitCounter: Sendable {
  @usableFromInline let hits = ThreadCounter()
  @usableFromInline let observed = Atomic(false)

  /// The number of hits.
  var count: Int { hits.total }

  func setObserved(_ isObserved: Bool) { observed.store(isObserved, ordering: .sequentiallyConsistent) }

  /// Counts a hit; returns whether the events have a reader.
  @inlinable
  func add() -> Bool {
    hits.add()
    return observed.load(ordering: .relaxed)
  }
}
