/// The fast path of a turn of several keys.
extension KeyOrder {
  /// Takes several keys if none of them is taken or waited for. Returns `nil` otherwise, and has taken none.
  @inlinable
  func take(_ keys: Set<Key>, by runner: Runner) -> KeyBatch<Key>? {
    let batch = KeyBatch(keys, runner: runner, shardCount: shards.count)
    for shard in 0..<shards.count where batch.shards & (1 &<< UInt64(shard)) != 0 {
      if shards[shard].pointee.withLock({ $0.take(batch, in: shard) }) { continue }
      release(batch, below: shard)
      return nil
    }
    return batch
  }

  /// Releases the keys of a batch.
  @inlinable
  func release(_ batch: KeyBatch<Key>) { release(batch, below: shards.count) }

  /// Releases the keys of a batch in the shards below a number, in descending order (see `KeyBatch.isCompared`).
  @inlinable
  func release(_ batch: KeyBatch<Key>, below end: Int) {
    for shard in (0..<end).reversed() where batch.shards & (1 &<< UInt64(shard)) != 0 {
      for key in shards[shard].pointee.withLock({ $0.release(batch) }) { leaveLine(of: key, finding: nil) }
    }
  }
}
