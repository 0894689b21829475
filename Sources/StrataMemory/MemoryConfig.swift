public import StrataDelegate

/// The limits of a `MemoryStorage`, and how long its entries are valid.
///
/// ```swift
/// let config = MemoryConfig(expiry: .seconds(3600), countLimit: 10_000)
/// let users = MemoryStorage<String, User>(config: config)
/// ```
public struct MemoryConfig: Sendable {
  /// The expiry of values that are stored without one. A value that a chain copies here from a tier behind expires by
  /// this at the latest.
  public var expiry: Expiry
  /// The time in seconds after which an entry expires if it is neither read nor written, whatever its expiry; `nil` for
  /// no idle limit.
  ///
  /// It costs one clock read per hit. `entry` and `peek` return the date of expiry as it is after the read.
  public var idleTime: Double?
  /// The maximum fraction, from 0 to 1, by which an `expiry` of `.seconds` is shortened at random. Without it, values
  /// that were stored together expire together and are all reloaded at once.
  public var expiryJitter: Double
  /// The maximum number of entries; 0 for no limit.
  public var countLimit: UInt
  /// The maximum total cost of all entries; 0 for no limit.
  ///
  /// In the memory of a `Storage`, and where values are `Data`, an entry costs its bytes. `totalCostLimit: 10` is room
  /// for ten bytes; `countLimit` limits the number of entries. A value that was read from a tier behind keeps its bytes
  /// and its cost when a reader has decoded it. A value that alone costs more than the limit is not kept: it is counted
  /// in `MemoryStatistics.removals` as `.costLimit`, and reported to the storage's `onRemoval` with that reason.
  public var totalCostLimit: UInt
  /// The clock that decides whether an entry has expired. It must not use the storage.
  public var clock: StorageClock
  /// The interval in seconds of the background sweep that reclaims expired entries; `nil` for no sweep.
  ///
  /// Writes reclaim expired entries as they go. Only a storage that is hardly written needs this to give memory back.
  public var sweepInterval: Double?
  /// The fraction of the entries, from 0 to 1, that is evicted when the app goes to the background; by default 0. The
  /// system ends apps in the background that use much memory first.
  ///
  /// For iOS, tvOS and visionOS. When these, or macOS and watchOS, are short of memory, half of the entries is evicted
  /// at the warning and all when memory is critical, whatever this fraction is.
  public var backgroundEviction: Double

  /// Creates a configuration. By default nothing is limited.
  public init(
    expiry: Expiry = .never, countLimit: UInt = 0, totalCostLimit: UInt = 0, clock: StorageClock = .system,
    idleTime: Double? = nil, expiryJitter: Double = 0, sweepInterval: Double? = nil,
    backgroundEviction: Double = 0
  ) {
    self.expiry = expiry
    self.idleTime = idleTime
    self.expiryJitter = expiryJitter
    self.countLimit = countLimit
    self.totalCostLimit = totalCostLimit
    self.clock = clock
    self.sweepInterval = sweepInterval
    self.backgroundEviction = backgroundEviction
  }

  /// Returns the expiry of a value that is stored now, as a date or `.never`.
  @inlinable
  func resolve(_ own: Expiry?) -> Expiry {
    // The common case is checked first and inlined: a call would copy the whole configuration.
    if own == nil, expiry == .never { return .never }
    return resolved(own)
  }

  @usableFromInline
  func resolved(_ own: Expiry?) -> Expiry {
    guard own == nil, expiryJitter > 0, case .seconds(let seconds) = expiry, seconds > 0 else {
      return (own ?? expiry).resolved(by: clock)
    }
    return Expiry.seconds(seconds * (1 - .random(in: 0...min(expiryJitter, 1)))).resolved(by: clock)
  }
}
