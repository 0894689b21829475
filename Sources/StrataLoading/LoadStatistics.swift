/// What a loading store has done since it was made.
public struct LoadStatistics: Sendable, Equatable {
  /// Reads that returned a fresh value.
  public internal(set) var hits = 0
  /// Reads that returned a remembered absence.
  public internal(set) var absentHits = 0
  /// Reads that returned a stale value.
  public internal(set) var staleHits = 0
  /// Reads that found nothing to return without a load.
  public internal(set) var misses = 0
  /// Loads that succeeded, also those that found that there is no value.
  public internal(set) var loads = 0
  /// Loads that failed.
  public internal(set) var failedLoads = 0
  /// Those of all loads that were begun in the background.
  public internal(set) var backgroundLoads = 0
  /// Callers that did not wait longer than the soft timeout.
  public internal(set) var softTimeouts = 0
  /// Callers that did not wait longer than the hard timeout.
  public internal(set) var hardTimeouts = 0
  /// Loads that counted as lost.
  public internal(set) var abandonedLoads = 0
  /// Refreshes that were left out, since too many loads ran in the background.
  public internal(set) var skippedRefreshes = 0
  /// Loaded values that were not stored, since the key was changed meanwhile.
  public internal(set) var overtakenLoads = 0
  /// Failures of the store below.
  public internal(set) var storeFailures = 0
  /// Loads for which this process was given the lease.
  public internal(set) var leasesWon = 0
  /// Loads that were spared, since another process had the lease and stored a value.
  public internal(set) var leasesAwaited = 0
  /// Leases that had ended before the load.
  public internal(set) var leasesLost = 0
  /// Leases that could not be asked for.
  public internal(set) var leaseFailures = 0
  /// How long the loads took that succeeded.
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

/// Durations counted in 64 classes, each √2 times as wide as the one before: from a microsecond to more than half an
/// hour.
public struct DurationHistogram: Sendable, Equatable {
  /// How many durations there are in each class.
  public private(set) var counts = [Int](repeating: 0, count: 64)
  /// How many durations there are.
  public private(set) var count = 0
  /// Their sum.
  public private(set) var total: Duration = .zero

  /// Makes an empty histogram.
  public init() {}

  /// Counts a duration.
  public mutating func add(_ duration: Duration) {
    counts[Self.index(of: duration)] += 1
    count += 1
    total += duration
  }

  /// The longest duration that a class counts; the last one counts all that are longer.
  public static func limit(of index: Int) -> Duration {
    var limit = Duration.microseconds(1)
    for _ in 0..<(index / 2) { limit *= 2 }
    return index.isMultiple(of: 2) ? limit : limit * 1.4142135623730951
  }

  private static func index(of duration: Duration) -> Int {
    (0..<63).first { duration <= limits[$0] } ?? 63
  }

  private static let limits = (0..<64).map(limit(of:))

  /// The duration that a part of all durations, from 0 to 1, does not exceed: the limit of the class in which it is.
  /// `nil` without any.
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
