/// A position in the index. The index is ordered by shard, and within a shard by the hash of the key.
///
/// An entry keeps its position as long as it is stored, however often it is written or moved.
struct IndexPosition: Sendable, Equatable {
  fileprivate var shard = 0
  /// The hash of the last key before it, or `nil` at the beginning of the shard.
  fileprivate var hash: UInt64?
}

extension LogIndex {
  /// Returns at most `limit` slots after a position, or the first ones, and the position after them; `nil` after the
  /// last one.
  func slots(
    after position: IndexPosition?, atMost limit: Int
  ) -> (slots: [IndexSlot], next: IndexPosition?) {
    var position = position ?? IndexPosition()
    var slots: [IndexSlot] = []
    while position.shard < Self.shardCount {
      slots += self.slots(inShard: position.shard, after: position.hash, atMost: limit - slots.count)
      if slots.count >= limit {
        position.hash = slots.last?.hash
        return (slots, position)
      }
      position = IndexPosition(shard: position.shard + 1)
    }
    return (slots, nil)
  }
}
