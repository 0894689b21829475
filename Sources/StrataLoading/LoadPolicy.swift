/// The rules of a loading store for freshness, waiting, refreshing and failures.
///
/// With `LoadPolicy()`, values live as long as the inner store keeps them, callers wait for the loader, and its errors
/// reach them.
///
/// ```swift
/// var policy = LoadPolicy(freshFor: .seconds(300), staleFor: .seconds(86_400))
/// policy.refreshAhead = .at(0.8)
/// policy.softTimeout = .milliseconds(100)
/// ```
public struct LoadPolicy: Sendable {
  // MARK: How long a value is used

  /// How long a loaded value is fresh. `nil`: as long as the inner store keeps it. With zero or less the value is
  /// returned and not stored, unless `staleFor` is positive.
  public var freshFor: Duration?
  /// The fraction, from 0 to 1, by which `freshFor` is shortened at random, so that values loaded together do not
  /// become stale together.
  public var jitter: Double
  /// How long a stale value may replace an error or a load that takes too long. `nil` or zero: never.
  public var staleFor: Duration?
  /// The age from which a value is returned only after an attempt to load, regardless of its freshness.
  public var neverOlderThan: Duration?
  /// How long an absence is remembered. `nil` or zero: not at all.
  public var absentFor: Duration?

  // MARK: How long callers wait

  /// How long a caller waits for a load if a stale value can be returned instead. `nil`: no limit. With zero or less
  /// the stale value is returned at once, and the load runs in the background.
  public var softTimeout: Duration?
  /// How long a caller waits for a load in any case. Then it gets a stale value, or `StorageError.timedOut`. `nil`: no
  /// limit. With zero or less no load starts.
  public var hardTimeout: Duration?
  /// The handling of a load whose callers have stopped waiting.
  public var afterTimeout: AfterTimeout
  /// How long a read of the inner store may take before it counts as a miss. `nil`: no limit.
  public var storeTimeout: Duration?

  // MARK: When to load

  /// When a fresh value is refreshed in the background.
  public var refreshAhead: RefreshAhead
  /// The pause after a failed load before the next attempt, while a stale value can be returned. A load whose caller
  /// has stopped waiting counts as failed.
  public var retryAfter: Backoff
  /// Whether an error reaches all callers that shared the load.
  public var onError: ErrorRule
  /// Which processes share a load.
  public var lease: LeaseRule
  /// The maximum number of loads without waiting callers: refreshes, and loads that timed out. Beyond it, refreshes are
  /// skipped until a later read, and a load that times out is cancelled.
  public var backgroundLimit: Int

  // MARK: Many keys at once

  /// The maximum number of keys in one call of a loader of many keys. Further keys are loaded by concurrent calls.
  public var bulkLimit: Int
  /// How long refreshes are gathered for one call of a loader of many keys. `nil`: only the refreshes of one read share
  /// a call. A caller that needs such a key meanwhile starts its load at once.
  public var refreshGathering: Duration?

  /// Creates a policy. Rules that are left out do not apply.
  public init(
    freshFor: Duration? = nil, jitter: Double = 0, staleFor: Duration? = nil, neverOlderThan: Duration? = nil,
    absentFor: Duration? = nil, softTimeout: Duration? = nil, hardTimeout: Duration? = nil,
    afterTimeout: AfterTimeout = .finish, storeTimeout: Duration? = nil, refreshAhead: RefreshAhead = .never,
    retryAfter: Backoff = .fixed(.seconds(30)), onError: ErrorRule = .shareWithWaiters,
    lease: LeaseRule = .none, backgroundLimit: Int = 64, bulkLimit: Int = .max,
    refreshGathering: Duration? = nil
  ) {
    self.freshFor = freshFor
    self.jitter = jitter
    self.staleFor = staleFor
    self.neverOlderThan = neverOlderThan
    self.absentFor = absentFor
    self.softTimeout = softTimeout
    self.hardTimeout = hardTimeout
    self.afterTimeout = afterTimeout
    self.storeTimeout = storeTimeout
    self.refreshAhead = refreshAhead
    self.retryAfter = retryAfter
    self.onError = onError
    self.lease = lease
    self.backgroundLimit = backgroundLimit
    self.bulkLimit = bulkLimit
    self.refreshGathering = refreshGathering
  }
}

extension LoadPolicy {
  /// Returns this policy with another maximum number of keys in one call of a loader of many keys.
  @usableFromInline
  package func chunked(_ size: Int?) -> LoadPolicy {
    var policy = self
    if let size { policy.bulkLimit = size }
    return policy
  }
}

/// The handling of a load whose callers have stopped waiting because it takes too long.
///
/// ```swift
/// let policy = LoadPolicy(hardTimeout: .seconds(1), afterTimeout: .abandon(after: .seconds(30)))
/// ```
public enum AfterTimeout: Sendable, Equatable {
  /// The load continues in the background, and its value is stored. If it still runs 30 seconds later, it counts as
  /// lost, as with `abandon`, when the key is loaded next.
  case finish
  /// The load continues until this time after its start. Then it is cancelled and counts as lost: its value is not
  /// stored, and the next caller starts a new load.
  case abandon(after: Duration)
  /// The load is cancelled.
  case cancel

  /// How long a load continues after a caller has stopped waiting for it. A source that hangs must not keep its key
  /// for as long as a request takes to fail.
  static let patience = Duration.seconds(30)
}

/// Whether an error reaches all callers that shared a load.
///
/// ```swift
/// let policy = LoadPolicy(onError: .eachTriesAgain)
/// ```
public enum ErrorRule: Sendable, Equatable {
  /// All callers that waited throw the error.
  case shareWithWaiters
  /// Only the caller that started the load throws its error. The others try again, one after the other.
  case eachTriesAgain
}

/// The pauses before failed operations are tried again.
///
/// ```swift
/// let policy = LoadPolicy(
///   staleFor: .seconds(86_400), retryAfter: .exponential(from: .seconds(1), to: .seconds(60), jitter: 0.2))
/// ```
public enum Backoff: Sendable, Equatable {
  /// The same pause each time.
  case fixed(Duration)
  /// Twice the previous pause, from a first one up to a limit, shortened at random by up to a fraction from 0 to 1.
  case exponential(from: Duration, to: Duration, jitter: Double = 0)

  /// The same pause each time, in seconds: `.seconds(10)` is `.fixed(.seconds(10))`.
  public static func seconds(_ time: Double) -> Backoff { .fixed(.seconds(time)) }
  /// The same pause each time, in milliseconds.
  public static func milliseconds(_ time: Double) -> Backoff { .fixed(.milliseconds(time)) }

  /// Returns the pause after a number of consecutive failures, 1 or more. `random` is from 0 to 1.
  func delay(afterFailures count: Int, random: Double) -> Duration {
    switch self {
    case .fixed(let time): return max(time, .zero)
    case .exponential(let first, let limit, let jitter):
      var delay = max(first, .zero)
      // Doubling stops at the limit, so that it cannot overflow.
      for _ in 1..<max(count, 1) where delay < limit && delay > .zero { delay *= 2 }
      return min(delay, limit) * (1 - min(max(jitter, 0), 1) * random)
    }
  }
}

/// When a fresh value is refreshed in the background. Reads start refreshes; there is no timer.
///
/// ```swift
/// let policy = LoadPolicy(freshFor: .seconds(300), refreshAhead: .at(0.8))   // From the fourth minute on.
/// ```
public enum RefreshAhead: Sendable, Equatable {
  /// No refresh ahead: the first read of the stale value loads it.
  case never
  /// After a fraction of the value's fresh time, from 0 to 1: `.at(0.8)` after four fifths.
  case at(Double)
  /// After a fraction of the value's fresh time, chosen at random for each value between two limits.
  case between(Double, Double)
  /// With a probability that grows towards the end, earlier for values that take longer to load (XFetch). Among many
  /// machines one is likely to be first, without communication. A `beta` greater than 1 refreshes earlier.
  case probabilistic(beta: Double = 1)
}

/// Which processes share a load.
///
/// ```swift
/// let policy = LoadPolicy(freshFor: .seconds(300), lease: .shared(for: .seconds(30)))
/// ```
public enum LeaseRule: Sendable, Equatable {
  /// Each process loads for itself.
  case none
  /// Only one of the processes that share the inner store loads a key at a time; the others wait for the stored value.
  ///
  /// The loading process holds a lease, which it extends during the load and releases afterwards. If it is not extended
  /// for this time, another process loads, and the first one's value is not stored. If no inner store grants leases, or
  /// granting fails, every process loads.
  case shared(for: Duration = .seconds(10))
}
