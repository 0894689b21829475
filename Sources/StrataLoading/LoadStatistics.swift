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

  mutating func count(_ kind: LoadEvent<some Sendable>.Kind) {
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
    }
  }
}

/// A histogram of durations in 64 classes, each √2 times as wide as the previous one, from a microsecond to more than
/// half an hour.
///
/// ```swift
/// if let slow = users.statistics.loadTimes.quantile(0.99) { print("99 of 100 loads take at most \(slow)") }
/// ```
public struct DurationHistogram: Sendable, Equatable {
  /// The number of durations in each class.
  public private(set) var counts = [Int](repeating: 0, count: 64)
  /// The number of durations.
  public private(set) var count = 0
  /// The sum of the durations.
  public private(set) var total: Duration = .zero

  /// Creates an empty histogram.
  public init() {}

  /// Counts a duration.
  public mutating func add(_ duration: Duration) {
    counts[Self.index(of: duration)] += 1
    count += 1
    total += duration
  }

  /// Returns the upper limit of a class. The last class has none.
  public static func limit(of index: Int) -> Duration {
    var limit = Duration.microseconds(1)
    for _ in 0..<(index / 2) { limit *= 2 }
    return index.isMultiple(of: 2) ? limit : limit * 1.4142135623730951
  }

  private static func index(of duration: Duration) -> Int {
    (0..<63).first { duration <= limits[$0] } ?? 63
  }

  private static let limits = (0..<64).map(limit(of:))

  /// Returns the duration that a fraction of all durations, from 0 to 1, does not exceed, rounded up to the limit of
  /// its class; `nil` for an empty histogram.
  public func quantile(_ part: Double) -> Duration? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((min(max(part, 0), 1) * Double(count)).rounded(.up)))
    var seen = 0
    for (index, number) in counts.enumerated() {
      seen += number
      if seen >= rank { return Self.limit(of: index) }
    }
    return nil
  }
}
