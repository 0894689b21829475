import StrataCore

/// The location of each key's record: one table per shard, so that concurrent reads seldom contend for a lock.
final class LogIndex: Sendable {
  private final class Shard: Sendable {
    let part = Locked(IndexShard())

    @inline(__always)
    func withTable<R: Sendable>(_ body: (inout IndexTable) -> R) -> R {
      part.withLock { $0.withTable(body) }
    }
  }

  private static let shardBits: UInt64 = 6
  static let shardCount = 1 << shardBits
  private let shards = (0..<shardCount).map { _ in Shard() }

  /// Begins with the slots of a log that is being opened. Only for an empty index, before others use it.
  ///
  /// - Parameter oldest: The number of the log's oldest segment.
  func begin(with slots: inout DividedSlots, oldest: Int) {
    for (number, shard) in shards.enumerated() {
      let part = IndexShard(waiting: slots.take(number), oldest: oldest)
      shard.part.withLock { $0 = part }
    }
  }

  /// Fills all tables. Calls `body` with the bytes, by segment, of the records that slots of the opened log have
  /// replaced or removed. Passes these bytes only once.
  func complete(_ body: (SegmentSums) -> Void) {
    for shard in shards { body(shard.part.withLock { $0.takeReplaced() }) }
  }

  /// Returns the location of a key's record, and marks it as used.
  func use(_ key: Fingerprint) -> Location? {
    shard(key).withTable { table in
      guard let place = table.find(key) else { return nil }
      let location = table[place].location
      if !location.isMarked { table[place].location.isMarked = true }
      return location
    }
  }

  func find(_ key: Fingerprint) -> IndexSlot? {
    shard(key).withTable { table in table.find(key).map { table[$0] } }
  }

  /// Inserts a slot, and returns the one that it replaces.
  func insert(_ slot: IndexSlot, in log: LogSpan) -> IndexSlot? {
    shard(slot.key).withTable { $0.insert(slot) { log.contains($0.location) } }
  }

  func remove(_ key: Fingerprint) -> IndexSlot? {
    shard(key).withTable { $0.remove(key) }
  }

  /// Removes the slots of records in deleted segments, and returns their number.
  @discardableResult
  func dropAll(outside log: LogSpan) -> Int {
    shards.reduce(0) { sum, shard in
      sum
        + shard.withTable { table in
          let count = table.count
          table.drop { log.contains($0.location) }
          return count - table.count
        }
    }
  }

  /// Calls `body` with the slots of all entries, one shard at a time.
  func forEach(_ body: ([IndexSlot]) throws -> Void) rethrows {
    for number in shards.indices { try body(slots(inShard: number, after: nil, atMost: .max)) }
  }

  /// Returns the slots of a shard with the lowest hashes after `hash`, at most `limit`.
  @inline(never)
  func slots(inShard number: Int, after hash: UInt64?, atMost limit: Int) -> [IndexSlot] {
    shards[number].withTable { $0.slots(after: hash, atMost: limit) }
  }

  private func shard(_ key: Fingerprint) -> Shard { shards[Self.shard(of: key.hash)] }

  /// Returns the number of a key's shard, from the lowest bits of its hash: the table uses the highest.
  @inline(__always)
  static func shard(of hash: UInt64) -> Int { Int(hash & (1 << shardBits - 1)) }
}

/// The segments that are part of the log.
struct LogSpan: Equatable, Sendable {
  var oldest: Int
  var newest: Int

  /// The number of segments by which the beginning of the log may move before all slots outside it must be dropped.
  static let longestStep = 1 << 17

  /// Returns the number of the segment of a location.
  ///
  /// A location contains it modulo 2¹⁹. Slots outside the log are dropped long before a number repeats. A process that
  /// has not caught up for so long opens the log again.
  func segment(of location: Location) -> Int {
    oldest + (location.segment - oldest) & Location.segmentMask
  }

  func contains(_ location: Location) -> Bool { segment(of: location) <= newest }
}
