#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore
public import Synchronization

/// Live values in memory, within limits.
///
/// When a limit would be exceeded, entries of little use make room first: the limits hold at every moment, and what was
/// just written can be read back. All operations are O(1) but `removeAll`, `removeExpiredObjects`, `keys` and `evict`,
/// and none waits for anything but a short lock; threads that use different keys rarely meet in one.
///
/// ```swift
/// let memory = MemoryStorage<String, Data>(
///   config: MemoryConfig(totalCostLimit: 64 << 20), cost: { _, data in data.count })
/// ```
public final class MemoryStorage<Key: Hashable & Sendable, Value: Sendable>: SyncStorageAware, MemoryTier {
  /// What is told of an entry that has left.
  public typealias Removal = MemoryRemoval<Key, Value>
  @usableFromInline typealias Table = MemoryTable<Key, Value>

  @usableFromInline let shards: MemoryShards<Key, Value>
  @usableFromInline let budget: MemoryBudget
  @usableFromInline let config: MemoryConfig
  @usableFromInline let cost: @Sendable (Key, Value) -> Int
  @usableFromInline let onRemoval: (@Sendable (Removal) -> Void)?
  /// Whether by the configuration nothing expires and no cost counts.
  @usableFromInline let isPlain: Bool
  /// Whether there has been an entry that expires: until then a write need not know the time.
  @usableFromInline let isTimed: Atomic<Bool>
  /// A shard that holds less than this leaves it to another to make room.
  @usableFromInline let lightCount: Int
  @usableFromInline let lightCost: Int
  /// The updates that run, each with its key to itself; and how many, so that writes rarely have to look.
  @usableFromInline let updates = KeyOrder<Key>(shards: 4)
  @usableFromInline let runningUpdates = Atomic(0)
  let loads = Locked(LoadStatistics())
  let background = MemoryBackground()

  /// Makes an empty storage.
  ///
  /// `cost` says what an entry counts for against `totalCostLimit`; below zero counts as zero. Without it, `Data` and
  /// what a chain has encoded cost their bytes, and anything else 1. An entry that alone costs more than the limit is
  /// not kept.
  ///
  /// `onRemoval` is called for each entry that has left, and why, on the thread whose operation it was and outside all
  /// locks, so it may use the storage. Of several threads' removals the calls may come in another order.
  public convenience init(
    config: MemoryConfig = .init(), cost: (@Sendable (Key, Value) -> Int)? = nil,
    onRemoval: (@Sendable (Removal) -> Void)? = nil
  ) {
    // To choose well, a shard must hold many entries; with few, one lock will do.
    let isSmall = config.countLimit == 0 ? config.totalCostLimit > 0 : config.countLimit < 16_384
    self.init(config: config, shards: isSmall ? 1 : 16, cost: cost, onRemoval: onRemoval)
  }

  init(
    config: MemoryConfig, shards count: Int, cost: (@Sendable (Key, Value) -> Int)?,
    onRemoval: (@Sendable (Removal) -> Void)?
  ) {
    self.config = config
    self.cost = cost ?? { _, value in Self.usualCost(value) }
    self.onRemoval = onRemoval
    isTimed = Atomic(config.idleTime != nil || config.expiry != .never)
    budget = MemoryBudget(config)
    isPlain = config.idleTime == nil && config.expiry == .never && config.totalCostLimit == 0
    shards = MemoryShards(count: count, hasCosts: budget.limitsCost, idleTime: config.idleTime)
    lightCount = count == 1 ? 0 : budget.countLimit / count / 8 * 7
    lightCost = count == 1 ? 0 : budget.costLimit / count / 8 * 7
    background.start(every: config.sweepInterval) { [weak self] task in self?.run(task) != nil }
  }

  /// Makes a storage without limits that holds the values of a dictionary.
  public convenience init(dictionary: [Key: Value]) {
    self.init()
    for (key, value) in dictionary { put(value, forKey: key, expiry: .never) }
  }

  private static func usualCost(_ value: Value) -> Int {
    switch value {
    case let data as Data: data.count
    case let wrapper as TypeWrapper: wrapper.byteCount ?? 1
    default: 1
    }
  }

  /// The expiry of the configuration.
  package var ownExpiry: Expiry { config.expiry }
  /// The clock of the configuration.
  @inlinable
  public var clock: StorageClock { config.clock }
  /// Never: there is nothing to wait for.
  public var mayBlock: Bool { false }
  /// How many entries there are, expired ones included that were not reclaimed yet.
  public var count: Int {
    var count = 0
    shards.withAllTables { count += $0.count }
    return count
  }

  /// The time in seconds since the reference date, as a `Date` holds it.
  @usableFromInline
  func now() -> Double { clock.now.timeIntervalSinceReferenceDate }

  /// The part of a key's hash that is kept.
  @inlinable
  static func hash(_ key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key._rawHashValue(seed: 0)) }
}
