#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore
public import Synchronization

/// Live values in memory, within limits.
///
/// When a limit would be exceeded, the least recently used entries make room first: the limits hold at every moment. All
/// operations are O(1) but `removeAll`, `removeExpiredObjects` and `keys`, and none waits for anything but a
/// short lock; threads that use different keys rarely meet in one.
///
/// ```swift
/// let memory = MemoryStorage<String, Data>(
///   config: MemoryConfig(totalCostLimit: 64 << 20), cost: { _, data in data.count })
/// ```
public final class MemoryStorage<Key: Hashable & Sendable, Value: Sendable>: SyncStorageAware {
  @usableFromInline typealias Node = RecencyTable<Key, Value>.Node

  @usableFromInline let shards: MemoryShards<Key, Value>
  /// Counts writes, so that the times of use in different shards can be compared.
  @usableFromInline let writes = Atomic<UInt64>(0)
  @usableFromInline let budget: MemoryBudget
  @usableFromInline let config: MemoryConfig
  @usableFromInline let cost: @Sendable (Key, Value) -> Int
  /// The updates that run, each with its key to itself; and how many, so that writes rarely have to look.
  @usableFromInline let updates = KeyOrder<Key>()
  @usableFromInline let runningUpdates = Atomic(0)

  /// Makes an empty storage.
  ///
  /// `cost` says what an entry counts for against `totalCostLimit`; below zero counts as zero. Without it, `Data` and what
  /// a chain has encoded cost their bytes, and anything else 1. An entry that alone costs more than the
  /// limit is not kept.
  public init(config: MemoryConfig = .init(), cost: (@Sendable (Key, Value) -> Int)? = nil) {
    self.config = config
    self.cost = cost ?? { _, value in Self.usualCost(value) }
    budget = MemoryBudget(config)
    // With few entries, which one was used least recently should be exact, and the lock is no bottleneck.
    shards = MemoryShards(count: (1..<1024).contains(config.countLimit) ? 1 : 16)
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

  /// The clock of the configuration.
  @inlinable
  public var clock: StorageClock { config.clock }
  /// Never: there is nothing to wait for.
  public var mayBlock: Bool { false }
  /// How many entries there are, expired ones included.
  public var count: Int {
    var count = 0
    shards.withAllTables { count += $0.nodes.count }
    return count
  }

  /// Reads an entry and makes it the most recently used.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? {
    let hash = key.hashValue
    let found: (value: Value, expiry: Expiry)? = shards.buffer[shards.index(hash)].table.withLock { table in
      guard let place = table.find(key, hash: hash) else { return nil }
      // Twice the writes plus one: later than the write before, earlier than the next. Of several reads between two writes
      // the first counts, so that a hot entry is not moved about again and again.
      table.touch(place, stamp: writes.load(ordering: .relaxed) &* 2 &+ 1)
      return (table.nodes[Int(place)].value, table.nodes[Int(place)].expiry)
    }
    return found.map { Entry(object: $0.value, expiry: $0.expiry) }
  }

  /// Reads an entry and makes it the most recently used.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? { peek(forKey: key) }

  /// Stores a value; what is least recently used makes room for it.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try refuseInsideUpdate(of: key)
    put(object, forKey: key, expiry: expiry)
  }

  /// Removes an entry, if it is there.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    try refuseInsideUpdate(of: key)
    remove(key)
  }

  /// The same as `removeObject`: memory is all there is.
  @inlinable
  public func removeInMemoryObject(forKey key: Key) throws { try removeObject(forKey: key) }

  /// Removes all entries at one moment.
  public func removeAll() throws {
    var removed: [RecencyTable<Key, Value>] = []
    shards.withAllTables { table in
      if budget.isLimited {
        budget.release(.init(count: table.nodes.count, cost: table.nodes.reduce(0) { $0 + $1.cost }))
      }
      removed.append(table)
      table = RecencyTable()
    }
  }

  /// Removes the entries that have expired; O(n), a shard at a time.
  public func removeExpiredObjects() throws {
    for index in shards.buffer.indices {
      let removed: [Node] = shards.buffer[index].withTable { table in
        let expired = table.nodes.filter { $0.expiry.isExpired(by: clock) }
        return expired.compactMap { node in
          table.find(node.key, hash: node.hash).map { release(table.remove($0)) }
        }
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// The keys of all entries that have not expired, as they are at one moment.
  public func keys() throws -> [Key] {
    var keys: [Key] = []
    shards.withAllTables { table in
      for node in table.nodes where !node.expiry.isExpired(by: clock) { keys.append(node.key) }
    }
    return keys
  }

  /// The expiry of an entry, without making it recently used.
  @inlinable
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    let hash = key.hashValue
    return shards.buffer[shards.index(hash)].table.withLock { table in
      table.find(key, hash: hash).map { table.nodes[Int($0)].expiry }
    }
  }
}
