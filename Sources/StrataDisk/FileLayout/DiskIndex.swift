#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// What a store knows of its entries without looking at the disk: sizes, deadlines, and the order of their use.
///
/// It does no I/O and knows nothing of files. Every operation on one entry is O(1), or O(log n) if the entry expires.
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

  /// Notes an entry that was just written.
  mutating func store(_ key: Key, size: Int, expiry: Expiry) {
    remove(key)
    recency.insertNewest(add(key, size: size, expiry: expiry))
  }

  /// Notes an entry that a scan found; call it in the order from the newest to the oldest.
  ///
  /// What is known already is left alone.
  mutating func load(_ key: Key, size: Int, expiry: Expiry) {
    if slots[key] == nil { recency.insertOldest(add(key, size: size, expiry: expiry)) }
  }

  /// Notes that an entry was read.
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

  /// The entry that expired first, if any has.
  func expired(at now: Date) -> Key? {
    guard let first = deadlines.first, first.deadline <= now.timeIntervalSinceReferenceDate else {
      return nil
    }
    return records[first.slot]?.key
  }

  /// The entry to give up so that one of a certain size fits below a limit; `nil` if it fits.
  ///
  /// What has expired goes first, then what has not been used for the longest time. The entry that is about to be
  /// replaced is never the one: its size does not count.
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

  /// A date that is no number is never reached.
  private static func deadline(_ expiry: Expiry) -> Double {
    guard case .date(let date) = expiry, !date.timeIntervalSinceReferenceDate.isNaN else { return .infinity }
    return date.timeIntervalSinceReferenceDate
  }
}
