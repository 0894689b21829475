public import StrataCore

/// The counters of a loading store since it was created.
///
/// ```swift
/// let statistics = users.statistics
/// print("\(statistics.hits) hits, \(statistics.misses) misses, \(statistics.failedLoads) failures")
/// ```
public struct LoadStatistics: Sendable, Equatable {
  /// Reads that returned a fresh value.
  public internal(set) var hits = 0
  /// Reads that returned a remembered absence.
  public internal(set) var absentHits = 0
  /// Reads that returned a stale value.
  public internal(set) var staleHits = 0
  /// Reads that found nothing to return without a load.
  public internal(set) var misses = 0
  /// Loads that succeeded, including loads that found no value.
  public internal(set) var loads = 0
  /// Loads that failed.
  public internal(set) var failedLoads = 0
  /// Loads that were started in the background.
  public internal(set) var backgroundLoads = 0
  /// Callers that stopped waiting at the soft timeout.
  public internal(set) var softTimeouts = 0
  /// Callers that stopped waiting at the hard timeout.
  public internal(set) var hardTimeouts = 0
  /// Loads that counted as lost.
  public internal(set) var abandonedLoads = 0
  /// Refreshes that were skipped, since too many loads ran in the background.
  public internal(set) var skippedRefreshes = 0
  /// Loaded values that were not stored, since the key was changed meanwhile.
  public internal(set) var overtakenLoads = 0
  /// Failures of the inner store.
  public internal(set) var storeFailures = 0
  /// Loads for which this process acquired the lease.
  public internal(set) var leasesWon = 0
  /// Loads that were avoided, since another process held the lease and stored a value.
  public internal(set) var leasesAwaited = 0
  /// Leases that ended before the load did.
  public internal(set) var leasesLost = 0
  /// Requests for a lease that failed.
  public internal(set) var leaseFailures = 0
  /// The durations of successful loads.
  public internal(set) var loadTimes = DurationHistogram()

  mutating func count(_ kind: StorageEventKind) {
    switch kind {
    case .hit: hits += 1
    case .hitAbsent: absentHits += 1
    case .miss: misses += 1
    case .servedStale: staleHits += 1
    case .loaded(let time, let place):
      loads += 1
      if place == .background { backgroundLoads += 1 }
      loadTimes.add(time)
    case .failed(_, _, let place):
      failedLoads += 1
      if place == .background { backgroundLoads += 1 }
    case .timedOut(.soft): softTimeouts += 1
    case .timedOut(.hard): hardTimeouts += 1
    case .abandoned: abandonedLoads += 1
    case .refreshSkipped: skippedRefreshes += 1
    case .overtaken: overtakenLoads += 1
    case .storeFailed: storeFailures += 1
    case .leaseWon: leasesWon += 1
    case .leaseAwaited: leasesAwaited += 1
    case .leaseLost: leasesLost += 1
    case .leaseFailed: leaseFailures += 1
    // Of the tiers.
    case .write, .removal, .eviction, .expiry, .promotion, .failure, .damage, .reconnection: break
    }
  }
}
