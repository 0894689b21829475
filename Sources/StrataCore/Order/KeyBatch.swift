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
      shards = keys.reduce(0) { $0 | Self.shard(of: $1, count: count) }
    }
  }

  /// Returns the bit of a key's shard.
  @inlinable
  static func shard(of key: Key, count: Int) -> UInt64 { 1 &<< (KeyOrder<Key>.hash(key) & (count - 1)) }

  /// Whether a shard is the first that two batches have in common, where their keys are compared.
  ///
  /// Batches take their shards in ascending order and leave them in descending order. So a batch that is no longer in
  /// the first common shard is in none of the others.
  @inlinable
  func isCompared(with other: KeyBatch, in shard: Int) -> Bool {
    (shards & other.shards).trailingZeroBitCount == shard
  }
}
