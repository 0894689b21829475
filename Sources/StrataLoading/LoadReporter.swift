import StrataCore

/// Counts the operations of a loading store, and reports its events to listeners.
final class LoadReporter<Key: Sendable>: Sendable {
  let tier = TierReporter<Key>("loading", timing: .all, countsItself: true)
  let hits = HitCounter()
  private let counters = Locked(LoadStatistics())

  // The reporter lives no longer than this object.
  init() { _ = tier.onSwitch { [hits] in hits.setObserved($0) } }

  var statistics: LoadStatistics {
    var statistics = counters.withLock { $0 }
    statistics.hits += hits.count
    return statistics
  }

  func hit(_ key: Key) {
    if hits.add() { tellHit(key) }
  }

  func report(_ kind: StorageEventKind, _ key: Key) {
    if case .hit = kind { return hit(key) }
    counters.withLock { $0.count(kind) }
    tier.tell(kind, key)
  }

  /// Reports a hit that was counted already.
  func tellHit(_ key: Key) { tier.send(.hit, key) }
}
