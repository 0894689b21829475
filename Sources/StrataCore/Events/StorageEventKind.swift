/// What an event of a store reports.
///
/// Kinds may be added in a minor version: write a `default` in a `switch`, or compare `name`.
///
/// ```swift
/// for await event in users.events {
///   if case .failed(let error, let time, _) = event.kind { print("a load failed after \(time): \(error)") }
/// }
/// ```
public enum StorageEventKind: Sendable {
  // Of the tiers.

  /// A read found a value. Of the loader: a fresh value was returned.
  case hit
  /// A read found nothing that has not expired. Of the loader: nothing could be returned without a load.
  case miss
  /// A value was stored.
  case write
  /// An entry was removed by a caller.
  case removal
  /// An entry was removed for a limit, or under memory pressure.
  case eviction
  /// An entry that had expired was removed.
  case expiry
  /// A value that was found in a tier behind was copied to this tier.
  case promotion
  /// An operation failed.
  case failure(any Error)
  /// The tier found damaged data.
  case damage(StorageError)
  /// A lost connection to a server was established again.
  case reconnection

  // Of the loader.

  /// A remembered absence was returned.
  case hitAbsent
  /// A stale value was returned.
  case servedStale
  /// A load succeeded, after this time.
  case loaded(Duration, LoadPlace)
  /// A load failed, after this time.
  case failed(any Error, Duration, LoadPlace)
  /// A caller's time limit passed.
  case timedOut(LoadTimeout)
  /// A load ran too long after its callers had left, and counts as lost.
  case abandoned
  /// A refresh was skipped, since `LoadPolicy.backgroundLimit` loads ran in the background.
  case refreshSkipped
  /// A loaded value was not stored, since the key was changed while it was loaded, or could not be read before the
  /// load and has a value now.
  case overtaken
  /// The inner store failed or exceeded its time limit: a read counted as a miss, or a loaded value was not stored.
  case storeFailed(any Error)
  /// This process acquired the lease of the key, and loads it.
  case leaseWon
  /// Another process held the lease. A load waited for this time and found the stored value.
  case leaseAwaited(Duration)
  /// The lease ended before the load did. Another process may have acquired it, so the value was not stored.
  case leaseLost
  /// No lease could be acquired, and the key was loaded without one.
  case leaseFailed(any Error)
}

extension StorageEventKind: CustomStringConvertible {
  /// The kind with its time and its error: "loaded in 200.0 ms, in the background". `name` contains neither.
  public var description: String {
    let words = name.replacing("_", with: " ")
    switch self {
    case .loaded(let time, let place): return "\(words) in \(time.text)\(place.addition)"
    case .failed(let error, let time, let place):
      return "\(words) after \(time.text)\(place.addition): \(error)"
    case .timedOut(let timeout): return "\(words) (\(timeout.rawValue))"
    case .failure(let error), .storeFailed(let error), .leaseFailed(let error): return "\(words): \(error)"
    case .damage(let error): return "\(words): \(error)"
    case .leaseAwaited(let time): return "\(words) for \(time.text)"
    default: return words
    }
  }

  /// Unavailable: most kinds have a value, such as a time.
  @available(*, unavailable, message: "write `if case .hit = event.kind`, or compare `name`")
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
}

extension StorageEventKind {
  /// A name of the kind for counters and logs, for example "served_stale". It contains no key and no value.
  public var name: String {
    switch self {
    case .hit: "hit"
    case .write: "write"
    case .removal: "removal"
    case .eviction: "eviction"
    case .expiry: "expiry"
    case .promotion: "promotion"
    case .failure: "failure"
    case .damage: "damage"
    case .reconnection: "reconnection"
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

extension StorageEventKind {
  /// The error of a failure.
  public var error: (any Error)? {
    switch self {
    case .failure(let error), .failed(let error, _, _), .storeFailed(let error), .leaseFailed(let error):
      error
    case .damage(let error): error
    default: nil
    }
  }

  /// The duration of a load, or of the wait for a lease.
  var duration: Duration? {
    switch self {
    case .loaded(let time, _), .failed(_, let time, _), .leaseAwaited(let time): time
    default: nil
    }
  }
}
