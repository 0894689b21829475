import StrataCore
import Synchronization

/// Counts the hits of a loading store without taking a lock.
@usableFromInline
final class HitCounter: Sendable {
  private let hits = Atomic(0)
  private let observed = Atomic(false)

  /// The number of hits.
  var count: Int { hits.load(ordering: .relaxed) }

  /// Whether the events have a reader.
  var isObserved: Bool {
    get { observed.load(ordering: .relaxed) }
    set { observed.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Counts a hit; returns whether the events have a reader.
  @usableFromInline
  func add() -> Bool {
    hits.wrappingAdd(1, ordering: .relaxed)
    return isObserved
  }
}
