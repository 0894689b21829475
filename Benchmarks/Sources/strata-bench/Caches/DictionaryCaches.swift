import Synchronization

/// A dictionary behind a mutex, the usual first solution. It has neither a limit nor expiry.
final class LockedDictionary<Key: Hashable & Sendable, Value: Weighable>: Cache {
  private let entries = Mutex<[Key: Value]>([:])

  func value(forKey key: Key) -> Value? { entries.withLock { $0[key] } }
  func store(_ value: Value, forKey key: Key) { entries.withLock { $0[key] = value } }
}

/// Sixteen dictionaries, each behind a mutex, chosen by the key's hash: the usual second solution.
final class ShardedDictionary<Key: Hashable & Sendable, Value: Weighable>: Cache {
  private let shards = (0..<16).map { _ in LockedDictionary<Key, Value>() }

  func value(forKey key: Key) -> Value? { shard(key).value(forKey: key) }
  func store(_ value: Value, forKey key: Key) { shard(key).store(value, forKey: key) }

  private func shard(_ key: Key) -> LockedDictionary<Key, Value> { shards[(key.hashValue >> 16) & 15] }
}

/// A dictionary in an actor.
actor ActorDictionary<Key: Hashable & Sendable, Value: Weighable>: AsyncCache {
  private var entries: [Key: Value] = [:]

  func value(forKey key: Key) -> Value? { entries[key] }
  func store(_ value: Value, forKey key: Key) { entries[key] = value }
}
