import StrataDelegate

extension MemoryStorage: CountingTier {
  /// Whether there are listeners, so that every operation must be reported.
  @inlinable
  package var isReported: Bool { reporter.isOn }

  package func count(into tier: inout TierStatistics) {
    let own = statistics
    tier.hits = own.hits
    tier.misses = own.misses
    tier.removals = own.removals[.removed, default: 0]
    tier.evictions = own.evictions
    tier.expiries = own.removals[.expired, default: 0]
    // Each new entry either is still there or has been removed; a replaced one was written over.
    tier.writes = max(0, own.count + own.removals.values.reduce(0, +) - tier.promotions)
    tier.count = own.count
    tier.size = own.cost
  }
}

extension MemoryRemovalReason {
  /// The event of a removal that no caller has asked for.
  @usableFromInline var effect: TierEffect? {
    switch self {
    case .expired: .expiry
    case .countLimit, .costLimit, .memoryPressure: .eviction
    case .replaced, .removed: nil
    }
  }
}
