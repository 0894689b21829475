/// An event of a loading store, for one key.
///
/// ```swift
/// for await event in users.events {
///   if case .failed(let error, let time, _) = event.kind {
///     print("loading \(event.key) failed after \(time): \(error)")
///   }
/// }
/// ```
public struct LoadEvent<Key: Sendable>: Sendable {
  /// The kinds of events.
  public enum Kind: Sendable {
    /// A fresh value was returned.
    case hit
    /// A remembered absence was returned.
    case hitAbsent
    /// Nothing could be returned without a load.
    case miss
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

  /// The key. It may be confidential, and is unsuitable as a label of a metric.
  public let key: Key
  /// The kind of the event.
  public let kind: Kind
}

/// An event as one line of text.
extension LoadEvent: CustomStringConvertible {
  /// The key and the kind: "ada: failed after 200.0 ms: Down()". It contains the key and the text of an error, which
  /// may be confidential.
  public var description: String { "\(key): \(kind)" }
}

extension LoadEvent.Kind: CustomStringConvertible {
  /// The kind with its time and its error: "loaded in 200.0 ms, in the background". `name` contains neither.
  public var description: String {
    let words = name.replacing("_", with: " ")
    switch self {
    case .loaded(let time, let place): return "\(words) in \(time.text)\(place.addition)"
    case .failed(let error, let time, let place):
      return "\(words) after \(time.text)\(place.addition): \(error)"
    case .timedOut(let timeout): return "\(words) (\(timeout.rawValue))"
    case .storeFailed(let error), .leaseFailed(let error): return "\(words): \(error)"
    case .leaseAwaited(let time): return "\(words) for \(time.text)"
    default: return words
    }
  }

  /// Unavailable: most kinds have a value, such as a time.
  @available(*, unavailable, message: "write `if case .hit = event.kind`, or compare `name`")
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
}

extension LoadEvent.Kind {
  /// A name of the kind for counters and logs, for example "served_stale". It contains no key and no value.
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

/// Whether a load was started for a waiting caller.
///
/// ```swift
/// for await event in users.events {
///   if case .loaded(let time, .foreground) = event.kind { print("a caller waited \(time)") }
/// }
/// ```
public enum LoadPlace: String, Sendable, Equatable {
  /// A caller started the load and waits for it.
  case foreground
  /// The load was started for later readers.
  case background

  /// The place as the end of a text.
  fileprivate var addition: String { self == .background ? ", in the background" : "" }
}

extension Duration {
  /// The time for a reader: "2.5 s" or "0.017 ms".
  fileprivate var text: String {
    let (unit, name): (Duration, String) = self >= .seconds(1) ? (.seconds(1), "s") : (.milliseconds(1), "ms")
    return "\((self / unit * 1000).rounded() / 1000) \(name)"
  }
}

/// The two timeouts of a policy.
///
/// ```swift
/// for await event in users.events {
///   if case .timedOut(.hard) = event.kind { print("a caller got an error: \(event.key)") }
/// }
/// ```
public enum LoadTimeout: String, Sendable, Equatable {
  /// `LoadPolicy.softTimeout`: a stale value was returned.
  case soft
  /// `LoadPolicy.hardTimeout`.
  case hard
}
