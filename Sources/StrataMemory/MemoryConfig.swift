public import StrataCore

/// The limits of a `MemoryStorage`, and how long its entries are valid.
public struct MemoryConfig: Sendable {
  /// When values expire that are stored without an expiry of their own. What a chain brings here from a tier behind
  /// expires by this at the latest.
  public var expiry: Expiry
  /// How many seconds an entry is valid that is neither read nor written, whatever its expiry; `nil` for no such end.
  ///
  /// It costs a look at the clock for each hit. `entry` and `peek` tell the date of expiry as it is after the read.
  public var idleTime: Double?
  /// By which part of it, from 0 to 1, the time of `expiry` is shortened at random, where that is `.seconds`: so that
  /// what was stored together does not expire together, and is not loaded anew all at once.
  public var expiryJitter: Double
  /// How many entries there may be; 0 for no limit.
  public var countLimit: UInt
  /// How much all entries together may cost; 0 for no limit.
  ///
  /// In the memory of a `Storage`, and where values are `Data`, an entry costs its bytes: `totalCostLimit: 10` is room
  /// for ten bytes, not for ten entries, which `countLimit` limits. A value that alone costs more than the limit is not
  /// kept: it is counted in `MemoryStatistics.removals` as `.costLimit`, and the storage's listener is told of it with
  /// that reason.
  public var totalCostLimit: UInt
  /// The clock by which entries expire. It must not use the storage.
  public var clock: StorageClock
  /// Every how many seconds what has expired is reclaimed in the background; `nil` for never.
  ///
  /// Writes reclaim it as they go. Only a storage that is hardly written needs this to give memory back.
  public var sweepInterval: Double?

  /// Makes a configuration; by default nothing is limited.
  public init(
    expiry: Expiry = .never, countLimit: UInt = 0, totalCostLimit: UInt = 0, clock: StorageClock = .system,
    idleTime: Double? = nil, expiryJitter: Double = 0, sweepInterval: Double? = nil
  ) {
    self.expiry = expiry
    self.idleTime = idleTime
    self.expiryJitter = expiryJitter
    self.countLimit = countLimit
    self.totalCostLimit = totalCostLimit
    self.clock = clock
    self.sweepInterval = sweepInterval
  }

  /// The expiry of a value that is stored now, as a date or `.never`.
  @inlinable
  func resolve(_ own: Expiry?) -> Expiry {
    // Asked first and in line, as most writes need no more: a call would copy the whole configuration.
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
