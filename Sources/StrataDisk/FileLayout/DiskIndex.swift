#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The in-memory index of a store's entries: sizes, deadlines, and order of use.
///
/// Does no I/O. Every operation on one entry is O(1), or O(log n) if the entry expires.
struct DiskIndex<Key: Hashable & Sendable>: Sendable {
  private struct Record: Sendable {
    let key: Key
    let size: Int
    /// Seconds since the reference date; infinite if the entry never expires.
    let deadline: Double
  }

  /// The sum of the sizes of all entries.
  private(set) var totalSize = 0

  private var slots: [Key: Int] = [:]
  private var records: [Record?] = []
  private var vacant: [Int] = []
  private var recency = RecencyList()
  private var deadlines = DeadlineHeap()

  var keys: [Key] { Array(slots.keys) }

  func keys(validAt now: Date) -> [Key] {
    let now = now.timeIntervalSinceReferenceDate
    return records.compactMap { record in record.flatMap { $0.deadline > now ? $0.key : nil } }
  }

  /// Returns at most `limit` keys from a slot on, and the slot after them; `nil` after the last one.
  func keys(from start: Int, atMost limit: Int, validAt now: Date) -> (keys: [Key], next: Int?) {
    let now = now.timeIntervalSinceReferenceDate
    var keys: [Key] = []
    var slot = start
    while slot < records.count, keys.count < limit {
      if let record = records[slot], record.deadline > now { keys.append(record.key) }
      slot += 1
    }
    return (keys, slot < records.count ? slot : nil)
  }

  /// Adds an entry that was just written. An entry that is replaced keeps its slot.
  mutating func store(_ key: Key, size: Int, expiry: Expiry) {
    remove(key)
    recency.insertNewest(add(key, size: size, expiry: expiry))
  }

  /// Adds an entry that a scan found, unless its key is known already. Call it from the newest entry to the oldest.
  mutating func load(_ key: Key, size: Int, expiry: Expiry) {
    if slots[key] == nil { recency.insertOldest(add(key, size: size, expiry: expiry)) }
  }

  /// Records a read of an entry, which makes it the most recently used.
  mutating func touch(_ key: Key) {
    guard let slot = slots[key] else { return }
    recency.remove(slot)
    recency.insertNewest(slot)
  }

  mutating func remove(_ key: Key) {
    guard let slot = slots.removeValue(forKey: key), let record = records[slot] else { return }
    totalSize -= record.size
    recency.remove(slot)
    deadlines.remove(slot)
    records[slot] = nil
    vacant.append(slot)
  }

  /// Returns the entry that expired first, or `nil`.
  func expired(at now: Date) -> Key? {
    guard let first = deadlines.first, first.deadline <= now.timeIntervalSinceReferenceDate else {
      return nil
    }
    return records[first.slot]?.key
  }

  /// Returns the entry to evict so that one of a given size fits below a limit; `nil` if it fits.
  ///
  /// An expired entry comes first, then the least recently used one. The entry that is about to be replaced is never
  /// returned, and its size does not count.
  func victim(toFit size: Int, under key: Key, limit: Int, at now: Date) -> Key? {
    let replaced = slots[key]
    let others = totalSize - (replaced.flatMap { records[$0]?.size } ?? 0)
    guard others > limit - size else { return nil }
    if let expired = expired(at: now), expired != key { return expired }
    guard let oldest = recency.oldest else { return nil }
    let slot = oldest == replaced ? recency.next(after: oldest) : oldest
    return slot.flatMap { records[$0]?.key }
  }

  private mutating func add(_ key: Key, size: Int, expiry: Expiry) -> Int {
    let deadline = Self.deadline(expiry)
    let slot = vacant.popLast() ?? records.count
    if slot == records.count { records.append(nil) }
    records[slot] = Record(key: key, size: size, deadline: deadline)
    slots[key] = slot
    totalSize += size
    if deadline < .infinity { deadlines.insert(slot, deadline: deadline) }
    return slot
  }

  /// Returns the deadline as a number. A date that is not a number (NaN) never expires.
  private static func deadline(_ expiry: Expiry) -> Double {
    guard case .date(let date) = expiry, !date.timeIntervalSinceReferenceDate.isNaN else { return .infinity }
    return date.timeIntervalSinceReferenceDate
  }
}
