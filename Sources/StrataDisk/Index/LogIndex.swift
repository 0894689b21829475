import StrataCore

/// Where each key's record is: one table a shard, so that threads that read seldom meet.
final class LogIndex: Sendable {
  private final class Shard: Sendable {
    let table = Locked(IndexTable())
  }

  private static let shardBits: UInt64 = 6
  private let shards = (0..<1 << shardBits).map { _ in Shard() }

  /// The record of a key that is being read, which thereby counts as used.
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

  /// Puts in a slot, and returns the one that it replaces.
  func insert(_ slot: IndexSlot, in log: LogSpan) -> IndexSlot? {
    shard(slot.key).table.withLock { $0.insert(slot) { log.contains($0.location) } }
  }

  func remove(_ key: Fingerprint) -> IndexSlot? {
    shard(key).table.withLock { $0.remove(key) }
  }

  /// Takes out what lies in segments that are gone.
  func dropAll(outside log: LogSpan) {
    for shard in shards { shard.table.withLock { $0.drop { log.contains($0.location) } } }
  }

  /// The slots of all entries, one shard at a time.
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

  /// By the lowest bits: the table goes by the highest.
  private func shard(_ key: Fingerprint) -> Shard { shards[Int(key.hash & (1 << Self.shardBits - 1))] }
}

/// The segments that are part of the log.
struct LogSpan: Equatable, Sendable {
  var oldest: Int
  var newest: Int

  /// By how many segments the beginning of the log may move on before all that is outside it has to be dropped.
  static let longestStep = 1 << 17

  /// The number of the segment that a location means.
  ///
  /// It is kept modulo 2¹⁹. Long before as many segments have come and gone, all that is outside the log is dropped;
  /// whoever did not look for so long begins anew.
  func segment(of location: Location) -> Int {
    oldest + (location.segment - oldest) & Location.segmentMask
  }

  func contains(_ location: Location) -> Bool { segment(of: location) <= newest }
}
