/// Something that a loading store did for one key.
public struct LoadEvent<Key: Sendable>: Sendable {
  /// What a loading store does.
  public enum Kind: Sendable {
    /// A fresh value was returned.
    case hit
    /// A remembered absence was returned.
    case hitAbsent
    /// There was nothing to return without a load.
    case miss
    /// A stale value was returned.
    case servedStale
    /// A load succeeded, after this time.
    case loaded(Duration, LoadPlace)
    /// A load failed, after this time.
    case failed(any Error, Duration, LoadPlace)
    /// A caller did not wait any longer.
    case timedOut(LoadTimeout)
    /// A load went on too long after its callers had left: it counts as lost.
    case abandoned
    /// A refresh was left out, since `LoadPolicy.backgroundLimit` loads ran in the background.
    case refreshSkipped
    /// A loaded value was not stored, since the key was changed while it was loaded.
    case overtaken
    /// The store below failed or took too long: a read counted as a miss, or a loaded value was not stored.
    case storeFailed(any Error)
    /// This process was given the lease of the key, and loads it.
    case leaseWon
    /// Another process had the lease: a load waited for it, for this time, and found what it had stored.
    case leaseAwaited(Duration)
    /// The lease had ended before the load: another process may have taken it over, and the value was not stored.
    case leaseLost
    /// No lease could be had, and the key was loaded without.
    case leaseFailed(any Error)
  }

  /// The key. It may be confidential, and is no label for a metric.
  public let key: Key
  /// What was done.
  public let kind: Kind
}

extension LoadEvent.Kind {
  /// A word for the kind, "served_stale" say, for counters and logs: it tells nothing of keys and values.
  public var name: String {
    switch self {
    case .hit: "hit"
    case .hitAbsent: "hit_absent"
    case .miss: "miss"
    case .servedStale: "served_stale"
    case .loaded: "loaded"
    case .failed: "failed"
    case .timedOut: "timed_out"
    case .abandoned: "abandoned"
    case .refreshSkipped: "refresh_skipped"
    case .overtaken: "overtaken"
    case .storeFailed: "store_failed"
    case .leaseWon: "lease_won"
    case .leaseAwaited: "lease_awaited"
    case .leaseLost: "lease_lost"
    case .leaseFailed: "lease_failed"
    }
  }
}

/// Whether somebody waits for a load when it ends.
public enum LoadPlace: String, Sendable, Equatable {
  /// A caller began it in order to wait for it.
  case foreground
  /// It was begun for later readers.
  case background
}

/// Which of the two timeouts of a policy.
public enum LoadTimeout: String, Sendable, Equatable {
  /// `LoadPolicy.softTimeout`: a stale value was returned.
  case soft
  /// `LoadPolicy.hardTimeout`.
  case hard
}
