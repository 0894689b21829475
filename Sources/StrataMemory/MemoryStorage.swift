#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataDelegate
public import Synchronization

/// A store that keeps values in memory, without encoding them, within limits.
///
/// When a limit would be exceeded, less useful entries are evicted first: the limits hold at every moment, and the
/// value just written can be read back. All operations are O(1) except `removeAll`, `removeExpiredObjects`, `keys` and
/// `evict`. None waits for anything but a short lock, and threads that use different keys rarely need the same one.
///
/// ```swift
/// let memory = MemoryStorage<String, Data>(
///   config: MemoryConfig(totalCostLimit: 64 << 20), cost: { _, data in data.count })
/// ```
public final class MemoryStorage<Key: Hashable & Sendable, Value: Sendable>: SyncStorageAware {
  /// The key, value and reason of a removal, as passed to `onRemoval`.
  public typealias Removal = MemoryRemoval<Key, Value>
  @usableFromInline typealias Table = MemoryTable<Key, Value>

  @usableFromInline let shards: MemoryShards<Key, Value>
  @usableFromInline let budget: MemoryBudget
  @usableFromInline let config: MemoryConfig
  @usableFromInline let cost: @Sendable (Key, Value) -> Int
  @usableFromInline let onRemoval: (@Sendable (Removal) -> Void)?
  /// Whether the configuration neither sets an expiry nor limits cost.
  @usableFromInline let isPlain: Bool
  /// Whether any entry can have an expiry. Until then a write need not read the clock.
  @usableFromInline let isTimed: Atomic<Bool>
  /// The number of entries below which a shard evicts none itself, but lets the fullest shard evict.
  @usableFromInline let lightCount: Int
  @usableFromInline let lightCost: Int
  /// Per-key ordering of the running updates. The number of running updates lets most writes skip the check.
  @usableFromInline let updates = KeyOrder<Key>(shards: 4)
  @usableFromInline let runningUpdates = Atomic(0)
  /// The loads in flight.
  let flights = Flights<Key, Value>()
  let loads = Locked(LoadStatistics())
  let background = MemoryBackground()
  /// Reports evictions and expiries. Operations are reported by the chain that the storage is a tier of.
  @usableFromInline let reporter = TierReporter<Key>("memory", timing: .none, countsItself: true)

  /// Creates an empty storage.
  ///
  /// `cost` returns what an entry counts against `totalCostLimit`; a negative cost counts as zero. Without it, `Data`
  /// and values that a chain has encoded cost their bytes, and any other value 1. An entry that alone costs more than
  /// the limit is not kept.
  ///
  /// `onRemoval` is called for each removed entry with the reason, on the thread of the operation and outside all
  /// locks, so it may use the storage. Calls for removals by different threads may come in any order.
  public convenience init(
    config: MemoryConfig = .init(), cost: (@Sendable (Key, Value) -> Int)? = nil,
    onRemoval: (@Sendable (Removal) -> Void)? = nil
  ) {
    // The policy needs many entries in a shard to choose well; with few entries, one lock is enough.
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
    background.start(config) { [weak self] task in self?.run(task) != nil }
  }

  /// Creates a storage without limits that holds the values of a dictionary.
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

  /// A memory, with the default expiry of the configuration.
  public var traits: StoreTraits {
    StoreTraits(ownExpiry: config.expiry, isMemory: true, reporter: reporter)
  }
  /// The clock of the configuration.
  @inlinable
  public var clock: StorageClock { config.clock }
  /// Always `false`: no operation waits for I/O.
  public var mayBlock: Bool { false }
  /// The number of entries, including expired entries that are not reclaimed yet. Locks all shards.
  public var count: Int {
    var count = 0
    shards.withAllTables { count += $0.count }
    return count
  }

  /// Returns the time in seconds since the reference date, as a `Date` holds it.
  @usableFromInline
  func now() -> Double { clock.now.timeIntervalSinceReferenceDate }

  /// Returns the low 32 bits of a key's hash, which are stored with the entry.
  @inlinable
  static func hash(_ key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key._rawHashValue(seed: 0)) }
}
