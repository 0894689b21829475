import StrataCore

/// The location of each key's record: one table per shard, so that concurrent reads seldom contend for a lock.
final class LogIndex: Sendable {
  private final class Shard: Sendable {
    let table = Locked(IndexTable())
  }

  private static let shardBits: UInt64 = 6
  private let shards = (0..<1 << shardBits).map { _ in Shard() }

  /// Returns the location of a key's record, and marks it as used.
  func use(_ key: Fingerprint) -> Location? {
    shard(key).table.withLock { table in
      guard let place = table.find(key) else { return nil }
      let location = table[place].location
      if !location.isMarked { table[place].location.isMarked = true }
      return location
    }
  }

  func find(_ key: Fingerprint) -> IndexSlot? {
    shard(key).table.withLock { table in table.find(key).map { table[$0] } }
  }

  /// Inserts a slot, and returns the one that it replaces.
  func insert(_ slot: IndexSlot, in log: LogSpan) -> IndexSlot? {
    shard(slot.key).table.withLock { $0.insert(slot) { log.contains($0.location) } }
  }

  func remove(_ key: Fingerprint) -> IndexSlot? {
    shard(key).table.withLock { $0.remove(key) }
  }

  /// Removes the slots of records in deleted segments.
  func dropAll(outside log: LogSpan) {
    for shard in shards { shard.table.withLock { $0.drop { log.contains($0.location) } } }
  }

  /// Calls `body` with the slots of all entries, one shard at a time.
  func forEach(_ body: ([IndexSlot]) throws -> Void) rethrows {
    for shard in shards {
      try body(
        shard.table.withLock { table in
          var slots: [IndexSlot] = []
          slots.reserveCapacity(table.count)
          table.forEach { slots.append($0) }
          return slots
        })
    }
  }

  var shardCount: Int { shards.count }

  /// Returns at most `limit` slots of a shard, those with the lowest hashes after `hash`.
  func slots(inShard number: Int, after hash: UInt64?, atMost limit: Int) -> [IndexSlot] {
    shards[number].table.withLock { $0.slots(after: hash, atMost: limit) }
  }

  /// Returns the shard of a key, by the lowest bits of its hash: the table uses the highest.
  private func shard(_ key: Fingerprint) -> Shard { shards[Int(key.hash & (1 << Self.shardBits - 1))] }
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
