public import StrataCore

/// The limits of a `MemoryStorage`.
public struct MemoryConfig: Sendable {
  /// When values expire that are stored without an expiry of their own.
  public var expiry: Expiry
  /// How many entries there may be; 0 for no limit.
  public var countLimit: UInt
  /// How much all entries together may cost; 0 for no limit.
  public var totalCostLimit: UInt
  /// The clock by which entries expire.
  public var clock: StorageClock

  /// Makes a configuration; by default nothing is limited.
  public init(
    expiry: Expiry = .never, countLimit: UInt = 0, totalCostLimit: UInt = 0, clock: StorageClock = .system
  ) {
    self.expiry = expiry
    self.countLimit = countLimit
    self.totalCostLimit = totalCostLimit
    self.clock = clock
  }
}
