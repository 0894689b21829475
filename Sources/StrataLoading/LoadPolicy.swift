/// How a loading store waits, keeps, refreshes and forgives: a value with one property for each decision.
///
/// `LoadPolicy()` decides nothing: values live as long as the store below keeps them, callers wait for the loader, and
/// its errors reach them.
///
/// ```swift
/// var policy = LoadPolicy(freshFor: .seconds(300), staleFor: .seconds(86_400))
/// policy.refreshAhead = .at(0.8)
/// policy.softTimeout = .milliseconds(100)
/// ```
public struct LoadPolicy: Sendable {
  // MARK: How long a value is used

  /// How long a loaded value is fresh. `nil`: for as long as the store below keeps it. Zero or less: it is returned and
  /// not stored, unless `staleFor` is longer than zero.
  public var freshFor: Duration?
  /// By which part of it, from 0 to 1, `freshFor` is shortened at random, so that values loaded together do not end
  /// together.
  public var jitter: Double
  /// How long after its end a value may be returned in place of an error, or of an answer that takes too long. `nil` or
  /// zero: never.
  public var staleFor: Duration?
  /// The age from which a value is not returned without a load having been tried, however long the loader said it was
  /// fresh.
  public var neverOlderThan: Duration?
  /// How long it is remembered that the loader found nothing. `nil` or zero: it is not.
  public var absentFor: Duration?

  // MARK: How long callers wait

  /// How long a caller waits for a load if there is a stale value to return instead. `nil`: as long as it takes.
  public var softTimeout: Duration?
  /// How long a caller waits for a load in any case. Then it is given a stale value, or `StorageError.timedOut`. `nil`:
  /// as long as it takes.
  public var hardTimeout: Duration?
  /// What becomes of a load whose callers have stopped waiting.
  public var afterTimeout: AfterTimeout
  /// How long a read of the store below may take before it counts as a miss. `nil`: as long as it takes.
  public var storeTimeout: Duration?

  // MARK: When to load

  /// When a value that is still fresh is loaded anew, in the background.
  public var refreshAhead: RefreshAhead
  /// When a load that failed is tried again, as long as there is a value to return meanwhile.
  public var retryAfter: Backoff
  /// Whether an error reaches all callers that shared the load.
  public var onError: ErrorRule
  /// Which processes share a load.
  public var lease: LeaseRule
  /// How many loads may run that nobody waits for: refreshes, and loads that timed out. Beyond it, refreshes are left
  /// out until a later read, and a load that times out is cancelled.
  public var backgroundLimit: Int

  // MARK: Many keys at once

  /// How many keys one call of a loader for many is given at most; what is more is loaded by calls at the same time.
  public var bulkLimit: Int
  /// How long refreshes wait for others, to be made by one call of a loader for many. `nil`: those of one read are one
  /// call. Who needs the value of such a key meanwhile does not wait for the others.
  public var refreshGathering: Duration?

  /// Makes a policy; what is left out does nothing.
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

/// What becomes of a load whose callers have stopped waiting because it takes too long.
public enum AfterTimeout: Sendable, Equatable {
  /// It goes on in the background, and its result is stored.
  case finish
  /// It goes on, but so long after its start that it counts as lost: then it is cancelled, its result is not stored,
  /// and the next caller loads anew.
  case abandon(after: Duration)
  /// It is cancelled.
  case cancel
}

/// Whether an error reaches all callers that shared a load.
public enum ErrorRule: Sendable, Equatable {
  /// All callers that waited for the load throw its error.
  case shareWithWaiters
  /// Only the caller that began the load throws its error; the others load for themselves, one after the other.
  case eachTriesAgain
}

/// When a load that failed is tried again.
public enum Backoff: Sendable, Equatable {
  /// After the same time each time.
  case fixed(Duration)
  /// After twice the time of the last failure in a row, from a first time up to a limit, shortened at random by up to a
  /// part from 0 to 1.
  case exponential(from: Duration, to: Duration, jitter: Double = 0)

  /// The time to wait after a number of failures in a row, which is 1 or more. `random` is from 0 to 1.
  func delay(afterFailures count: Int, random: Double) -> Duration {
    switch self {
    case .fixed(let time): return max(time, .zero)
    case .exponential(let first, let limit, let jitter):
      var delay = max(first, .zero)
      // Doubled as long as it is below the limit, so that no count can overflow.
      for _ in 1..<max(count, 1) where delay < limit && delay > .zero { delay *= 2 }
      return min(delay, limit) * (1 - min(max(jitter, 0), 1) * random)
    }
  }
}

/// When a value that is still fresh is loaded anew in the background. A read starts it; no timer does.
public enum RefreshAhead: Sendable, Equatable {
  /// Never: it is loaded by the first read after its end.
  case never
  /// From a part of its time on, from 0 to 1: `.at(0.8)` after four fifths.
  case at(Double)
  /// From a moment on that is chosen at random between two parts of its time, for each value.
  case between(Double, Double)
  /// With a probability that grows towards the end, the earlier the longer the last load took (XFetch): without any
  /// message, one of many machines is the first. With `beta` greater than 1 it is earlier.
  case probabilistic(beta: Double = 1)
}

/// Which processes share a load.
public enum LeaseRule: Sendable, Equatable {
  /// Each process loads for itself.
  case none
  /// Of all processes that share the store below, one loads a key at a time; the others wait for what it stores.
  ///
  /// Whoever loads holds a lease, which is extended while the load runs. It ends with the load, and without a sign of
  /// life after this time; then another process loads, and what the first one still brings is not stored. Where no
  /// store below grants leases, or the one that does fails, everybody loads.
  case shared(for: Duration = .seconds(10))
}
