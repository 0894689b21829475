public import Synchronization

/// The keys of one shard of an order that are in use, and a lock.
@usableFromInline
struct KeyShard<Key: Hashable & Sendable>: ~Copyable, Sendable {
  @usableFromInline let keys = Locked(KeysInUse<Key>())
  /// Whether no key is in use, and none waited for. Written with the lock, and read without it.
  @usableFromInline let isIdle = Atomic(true)
  /// How often the lock was taken. Written with the lock, and read without it.
  @usableFromInline let count = Atomic(0)

  @inlinable
  init() {}

  @inlinable
  func withLock<R: Sendable>(_ body: (inout KeysInUse<Key>) -> R) -> R {
    keys.withLock { keys in
      let result = body(&keys)
      isIdle.store(keys.isIdle, ordering: .relaxed)
      count.store(count.load(ordering: .relaxed) &+ 1, ordering: .releasing)
      return result
    }
  }
}

/// The keys of one shard that are in use, and their runners: the fast path for turns without waiters.
///
/// Usually one key is in use at a time, which needs no allocation. Further keys are stored in a dictionary.
@usableFromInline
struct KeysInUse<Key: Hashable & Sendable>: ~Copyable, Sendable {
  /// A key, its runner, and whether it has a queue in the `TurnTable`, which then decides whose turn is next.
  @usableFromInline typealias Use = (key: Key, hash: Int, runner: Runner, hasQueue: Bool)

  @usableFromInline var first: Use?
  @usableFromInline var others: [Key: Use] = [:]
  /// Batches with keys of this shard. No two batches of a shard have a key in common.
  @usableFromInline var batches: [KeyBatch<Key>] = []
  /// Whether there is a fence, a turn of all keys: then no key is taken by the fast path.
  @usableFromInline var isClosed = false

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { first == nil && others.isEmpty && batches.isEmpty }
  /// Whether no key is in use, and there is no fence.
  @inlinable
  var isIdle: Bool { isEmpty && !isClosed }

  /// Takes a key if it is neither taken nor waited for. Returns whether the key was taken.
  @inlinable
  mutating func take(_ key: Key, hash: Int, by runner: Runner) -> Bool {
    // Nearly always no key is in use, and `contains` would copy the first.
    if isClosed || !isEmpty && contains(key, hash: hash) { return false }
    insert((key, hash, runner, hasQueue: false))
    return true
  }

  /// Releases a key. Returns `false` if the key has a queue: the table must then pass the turn on.
  @inlinable
  mutating func release(_ key: Key, hash: Int) -> Bool {
    if let hasQueue = first?.hasQueue, first?.hash == hash, first?.key == key {
      if hasQueue { return false }
      first = nil
      return true
    }
    if others[key]?.hasQueue == true { return false }
    others[key] = nil
    return true
  }

  /// Takes the keys of a batch that belong to this shard, which has the given number, if none of them is taken or
  /// waited for. Returns whether they were taken.
  @inlinable
  mutating func take(_ batch: KeyBatch<Key>, in shard: Int) -> Bool {
    if isClosed { return false }
    if let first = first?.key, batch.keys.contains(first) { return false }
    for key in others.keys where batch.keys.contains(key) { return false }
    for other in batches where other.isCompared(with: batch, in: shard) {
      if !other.keys.isDisjoint(with: batch.keys) { return false }
    }
    batches.append(batch)
    return true
  }

  /// Releases the keys of a batch. Returns those that have queues: the table must then pass the turns on.
  @inlinable
  mutating func release(_ batch: KeyBatch<Key>) -> [Key] {
    batches.removeAll { $0 === batch }
    var queued: [Key] = []
    if let first, first.hasQueue, batch.keys.contains(first.key) { queued.append(first.key) }
    for use in others.values where use.hasQueue && batch.keys.contains(use.key) { queued.append(use.key) }
    return queued
  }

  /// Changes the runner of a key that is taken.
  mutating func pass(_ key: Key, hash: Int, to runner: Runner) {
    if isFirst(key, hash) { first?.runner = runner } else { others[key]?.runner = runner }
  }

  /// Marks a key as having a queue. Returns its use if it was taken by the fast path.
  mutating func line(up key: Key, hash: Int) -> Use? {
    let isFirst = isFirst(key, hash)
    guard var use = isFirst ? first : others[key] else {
      let batch = batches.first { $0.keys.contains(key) }
      let use: Use = (key, hash, batch?.runner ?? .nobody, hasQueue: true)
      insert(use)
      return batch == nil ? nil : use
    }
    if use.hasQueue { return nil }
    use.hasQueue = true
    if isFirst { first = use } else { others[key] = use }
    return use
  }

  /// Removes a key whose queue has ended.
  mutating func endQueue(of key: Key, hash: Int) {
    if isFirst(key, hash) { first = nil } else { others[key] = nil }
  }

  /// Closes the fast path. Returns the keys in use except those of batches. Some may already have queues.
  mutating func close() -> [Key] {
    isClosed = true
    return others.keys + (first.map { [$0.key] } ?? [])
  }

  @inlinable
  func contains(_ key: Key, hash: Int) -> Bool {
    if let first = first?.hash, first == hash, self.first?.key == key { return true }
    if !others.isEmpty, others[key] != nil { return true }
    return !batches.isEmpty && batches.contains { $0.keys.contains(key) }
  }

  func isFirst(_ key: Key, _ hash: Int) -> Bool { first?.hash == hash && first?.key == key }

  @inlinable
  mutating func insert(_ use: Use) {
    if first == nil { first = use } else { others[use.key] = use }
  }
}

/// Several keys that one operation has taken together by the fast path.
///
/// Each shard with one of the keys has a reference to the batch. So to take a thousand keys costs as much as to take
/// one in each shard; a look-up in the set is only needed if a shard has other keys in use.
///
/// Unchecked, since `runner` changes: after the batch is in a shard, only with the lock of the order's table.
@usableFromInline
final class KeyBatch<Key: Hashable & Sendable>: @unchecked Sendable {
  @usableFromInline let keys: Set<Key>
  @usableFromInline var runner: Runner
  /// The shards of the keys: a bit for each. For many keys, all shards.
  @usableFromInline let shards: UInt64

  /// Creates the batch of an order with `count` shards.
  @inlinable
  init(_ keys: Set<Key>, runner: Runner, shardCount count: Int) {
    self.keys = keys
    self.runner = runner
    if keys.count > count {
      shards = .max &>> (64 - count)
    } else {
      shards = keys.reduce(0) { $0 | 1 &<< (KeyOrder<Key>.hash($1) & (count - 1)) }
    }
  }

  @inlinable
  func isIn(_ shard: Int) -> Bool { shards & (1 &<< shard) != 0 }

  /// Whether a shard is the first that two batches have in common, where their keys are compared.
  ///
  /// Batches take their shards in ascending order and leave them in descending order. So a batch that is no longer in
  /// the first common shard is in none of the others.
  @inlinable
  func isCompared(with other: KeyBatch, in shard: Int) -> Bool {
    (shards & other.shards).trailingZeroBitCount == shard
  }
}
