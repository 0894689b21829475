/// The slots of a log's records in the order of the log, divided among the shards of an index.
///
/// Slots are staged in a few bytes for each shard, which stay in the processor's cache, and are added to the shard's
/// array many at a time. The array is long enough to become the shard's table: memory that the system has just provided
/// takes longer to fill than memory that is used again.
struct DividedSlots: ~Copyable {
  /// The number of slots that are staged for a shard.
  private static let staged = 32

  /// The staged slots of all shards, and how many each has.
  private let stage: UnsafeMutablePointer<IndexSlot>
  private let counts: UnsafeMutablePointer<Int>
  private var shards: [[IndexSlot]]

  /// - Parameter count: The expected number of slots.
  init(expecting count: Int = 0) {
    stage = .allocate(capacity: LogIndex.shardCount * Self.staged)
    counts = .allocate(capacity: LogIndex.shardCount)
    counts.initialize(repeating: 0, count: LogIndex.shardCount)
    let share = Double(count) / Double(LogIndex.shardCount)
    // Random hashes seldom give a shard more than this.
    let room = IndexTable.room(for: Int(share + 3 * share.squareRoot()))
    shards = (0..<LogIndex.shardCount).map { _ in
      var slots: [IndexSlot] = []
      if count > 0 { slots.reserveCapacity(room) }
      return slots
    }
  }

  deinit {
    stage.deallocate()
    counts.deallocate()
  }

  @inline(__always)
  mutating func append(_ slot: IndexSlot) {
    let shard = LogIndex.shard(of: slot.hash)
    let count = counts[shard]
    (stage + (shard &* Self.staged &+ count)).initialize(to: slot)
    counts[shard] = count &+ 1
    if count == Self.staged - 1 { flush(shard) }
  }

  @inline(never)
  private mutating func flush(_ shard: Int) {
    shards[shard].append(
      contentsOf: UnsafeBufferPointer(start: stage + shard * Self.staged, count: counts[shard]))
    counts[shard] = 0
  }

  /// Returns the slots of a shard, only once.
  mutating func take(_ shard: Int) -> [IndexSlot] {
    flush(shard)
    let slots = shards[shard]
    shards[shard] = []
    return slots
  }
}
