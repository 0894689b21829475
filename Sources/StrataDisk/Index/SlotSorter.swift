/// Sorts the slots of a log that is being opened, so that a table of them is made from front to back.
///
/// Hashes are random, so a slot's hash determines its approximate position. Each slot is put into a bucket, with two
/// slots per bucket on average, and the few slots of a bucket are compared with each other. This takes less than half
/// of the time of inserting slots into a table in any order.
struct SlotSorter {
  /// The number of slots for each bucket.
  private static let slotsPerBucket = 2

  /// Returns the slots that are left in the order of their hashes: of each key the last one, unless it is marked as a
  /// removal. Calls `body` with the slots that others have replaced or removed.
  ///
  /// - Parameter log: The slots in the order of the log.
  static func sort(_ log: [IndexSlot], _ body: (IndexSlot) -> Void) -> [IndexSlot] {
    if log.isEmpty { return [] }
    let buckets = log.count / slotsPerBucket + 1
    func bucket(_ slot: IndexSlot) -> Int {
      Int(truncatingIfNeeded: slot.hash.multipliedFullWidth(by: UInt64(buckets)).high)
    }
    return [IndexSlot](unsafeUninitializedCapacity: log.count) { slots, left in
      withUnsafeTemporaryAllocation(of: Int.self, capacity: buckets + 1) { ends in
        ends.initialize(repeating: 0)
        for slot in log { ends[bucket(slot) &+ 1] &+= 1 }
        for i in 0..<buckets { ends[i &+ 1] &+= ends[i] }
        // From here on, `ends[i]` is the place of the next slot of bucket `i`.
        for slot in log {
          let bucket = bucket(slot)
          slots.initializeElement(at: ends[bucket], to: slot)
          ends[bucket] &+= 1
        }
        var start = 0
        for i in 0..<buckets {
          left = compact(slots, start..<ends[i], from: left, body)
          start = ends[i]
        }
      }
    }
  }

  /// Enters the slots of a bucket, in their order, into the sorted ones before it; returns where these end.
  ///
  /// - Parameter begin: Where the sorted slots of the bucket begin, which is not behind the bucket.
  @inline(__always)
  private static func compact(
    _ slots: UnsafeMutableBufferPointer<IndexSlot>, _ bucket: Range<Int>, from begin: Int,
    _ body: (IndexSlot) -> Void
  ) -> Int {
    var end = begin
    for i in bucket {
      let slot = slots[i]
      var place = end
      while place > begin, slots[place - 1].hash > slot.hash { place -= 1 }
      // Slots with the same hash are before it, in any order.
      var same = place
      while same > begin, slots[same - 1].hash == slot.hash, slots[same - 1].tag != slot.tag { same -= 1 }
      if same > begin, slots[same - 1].hash == slot.hash {
        body(slots[same - 1])
        if !slot.location.isMarked {
          slots[same - 1] = slot
        } else {
          for j in same..<end { slots[j - 1] = slots[j] }
          end -= 1
        }
      } else if !slot.location.isMarked {
        for j in stride(from: end, to: place, by: -1) { slots[j] = slots[j - 1] }
        slots[place] = slot
        end += 1
      }
    }
    return end
  }
}
