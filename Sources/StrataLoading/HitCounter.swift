import StrataCore
import Synchronization

/// The hits of a loading store, which are too many to take a lock for each.
@usableFromInline
final class HitCounter: Sendable {
  private let hits = Atomic(0)
  private let observed = Atomic(false)

  /// How many hits were counted.
  var count: Int { hits.load(ordering: .relaxed) }

  /// Whether somebody reads the events.
  var isObserved: Bool {
    get { observed.load(ordering: .relaxed) }
    set { observed.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Counts a hit; returns whether somebody wants to hear of it.
  @usableFromInline
  func add() -> Bool {
    hits.wrappingAdd(1, ordering: .relaxed)
    return isObserved
  }
}
