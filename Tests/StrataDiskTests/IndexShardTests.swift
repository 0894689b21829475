import StrataCore
import Testing

@testable import StrataDisk

/// The index of a newly opened log, whose slots are inserted into a shard's table when the shard is first used.
struct IndexShardTests {
  /// Returns the slots of a log of several segments, beginning with segment `oldest`, in the log's order.
  private func log(of count: Int, keys: Int, oldest: Int, seed: UInt64) -> [IndexSlot] {
    var random = Seeded(state: seed)
    var hashes: [UInt64] = []
    for _ in 0..<keys { hashes.append(random.next()) }
    return (0..<count).map { i in
      var location = Location(
        segment: oldest + i * 5 / count, offset: 56 + i * 8, length: 8 + 8 * (i % 50), isFile: false)
      location.isMarked = Int.random(in: 0..<4, using: &random) == 0
      let hash = hashes[Int.random(in: 0..<keys, using: &random)]
      return IndexSlot(hash: hash, location: location, tag: UInt32(truncatingIfNeeded: hash), deadline: .max)
    }
  }

  private func index(of slots: [IndexSlot], oldest: Int) -> LogIndex {
    var divided = DividedSlots(expecting: slots.count * (oldest % 3))
    for slot in slots { divided.append(slot) }
    let index = LogIndex()
    index.begin(with: &divided, oldest: oldest)
    return index
  }

  /// Finds the same records as a dictionary, and counts the replaced ones. Segment numbers repeat after 2¹⁹.
  @Test(arguments: [(0, 1), (1, 1), (5000, 300), (40_000, 30_000)], [1, Location.segmentMask - 1])
  func agreesWithADictionary(_ size: (slots: Int, keys: Int), _ oldest: Int) {
    let slots = log(of: size.slots, keys: size.keys, oldest: oldest, seed: UInt64(size.slots))
    let index = index(of: slots, oldest: oldest)
    let span = LogSpan(oldest: oldest, newest: oldest + 5)
    var model: [Fingerprint: IndexSlot] = [:]
    var live = SegmentSums(oldest: oldest)
    for slot in slots {
      let old = model[slot.key]
      model[slot.key] = slot.location.isMarked ? nil : slot
      if !slot.location.isMarked { live.add(slot.location.cost, to: span.segment(of: slot.location)) }
      if let old { live.add(-old.location.cost, to: span.segment(of: old.location)) }
    }
    for slot in slots { #expect(index.find(slot.key) == model[slot.key]) }
    var all = 0
    index.forEach { all += $0.count }
    #expect(all == model.count)
    // The bytes counted on opening, without the bytes of replaced records, are the live bytes.
    var counted = SegmentSums(oldest: oldest)
    for slot in slots where !slot.location.isMarked {
      counted.add(slot.location.cost, to: span.segment(of: slot.location))
    }
    index.complete { counted.subtract($0) }
    #expect(counted.total == live.total && counted.first == live.first && counted.others == live.others)
    index.complete { #expect($0.total == 0, "once") }
  }

  /// Keys with equal hashes are distinguished by their tags. With few different hashes, many keys share one.
  @Test(arguments: [1, 3, 1000] as [UInt64], [2, 500] as [UInt32])
  func hashesThatAreEqual(_ hashes: UInt64, _ tags: UInt32) {
    var random = Seeded(state: hashes + UInt64(tags))
    var model: [Fingerprint: IndexSlot] = [:]
    var gone: [Location] = []
    var slots: [IndexSlot] = []
    for i in 0..<3000 {
      var location = Location(segment: 1, offset: 8 * (i + 7), length: 8, isFile: false)
      location.isMarked = Int.random(in: 0..<3, using: &random) == 0
      let slot = IndexSlot(
        hash: UInt64.random(in: 0..<hashes, using: &random) &* (.max / hashes), location: location,
        tag: UInt32.random(in: 0..<tags, using: &random), deadline: .max)
      slots.append(slot)
      if let old = model[slot.key] { gone.append(old.location) }
      model[slot.key] = location.isMarked ? nil : slot
    }
    var replaced: [Location] = []
    let sorted = SlotSorter.sort(slots) { replaced.append($0.location) }
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.hash <= $1.hash })
    #expect(sorted.count == model.count)
    for slot in sorted { #expect(model[slot.key] == slot) }
    #expect(Set(replaced.map(\.bits)) == Set(gone.map(\.bits)) && replaced.count == gone.count)
    let table = IndexTable(slots) { _ in }
    #expect(table.count == model.count)
    for (key, slot) in model { #expect(table.find(key).map { table[$0] } == slot) }
  }

  /// A change to a shard is applied after the slots that have not been inserted yet.
  @Test func waitingSlotsAreOlderThanChanges() throws {
    let slots = log(of: 2000, keys: 500, oldest: 1, seed: 7)
    let index = index(of: slots, oldest: 1)
    let span = LogSpan(oldest: 1, newest: 9)
    let stored = Dictionary(slots.map { ($0.key, $0) }) { $1 }.values.filter { !$0.location.isMarked }
    for (i, slot) in stored.enumerated() {
      var newer = slot
      newer.location = Location(segment: 8, offset: 8 * (i + 7), length: 16, isFile: false)
      #expect(index.insert(newer, in: span) == slot)
      #expect(index.find(slot.key) == newer)
    }
    #expect(stored.count > 100)
    index.dropAll(outside: LogSpan(oldest: 8, newest: 9))
    for slot in slots { #expect(index.remove(slot.key)?.location.segment ?? 8 == 8) }
  }

  /// The tables have the size that the entries need, even if most slots replaced others.
  @Test(arguments: [1, 3]) func bytesPerEntryAreAsDocumented(_ times: Int) {
    let slots = log(of: 20_000, keys: 20_000 / times, oldest: 1, seed: 3).map { slot in
      var slot = slot
      slot.location.isMarked = false
      return slot
    }
    let table = IndexTable(slots) { _ in }
    let bytes = Double(table.capacity * IndexSlot.size) / Double(table.count)
    #expect(bytes >= 27 && bytes < 39)
  }

  /// The memory of released slots is returned to the system.
  @Test func memoryComesBack() {
    var table = IndexTable(log(of: 20_000, keys: 20_000, oldest: 1, seed: 5)) { _ in }
    #expect(table.count > 5000)
    table.drop { $0.location.segment == 3 }
    #expect(table.count > 500 && table.capacity < table.count * 3 / 2)
    table.drop { _ in false }
    #expect(table.count == 0 && table.capacity < 50)
  }
}
