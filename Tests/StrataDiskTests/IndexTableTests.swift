import StrataCore
import Testing

@testable import StrataDisk

struct IndexTableTests {
  private func slot(_ hash: UInt64, _ tag: UInt32, _ place: Int) -> IndexSlot {
    IndexSlot(
      hash: hash, location: Location(segment: 1, offset: place * 8, length: 8, isFile: false), tag: tag,
      deadline: .max)
  }

  /// Compares random operations with a dictionary. With few different hashes, many keys share one.
  @Test(arguments: [1: UInt64(4), 2: 1000, 3: .max])
  func agreesWithADictionary(_ seed: UInt64, _ hashes: UInt64) {
    var random = Seeded(state: seed)
    var table = IndexTable()
    var model: [Fingerprint: IndexSlot] = [:]
    for round in 1..<30_000 {
      let key = Fingerprint(
        hash: UInt64.random(in: 0..<hashes, using: &random) &* (.max / hashes),
        tag: UInt32.random(in: 0..<50, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let slot = slot(key.hash, key.tag, round)
        #expect(table.insert(slot) { _ in true } == model.updateValue(slot, forKey: key))
      case 2:
        #expect(table.remove(key) == model.removeValue(forKey: key))
      default:
        #expect(table.find(key).map { table[$0] } == model[key])
      }
      #expect(table.count == model.count)
    }
    for (key, slot) in model { #expect(table.find(key).map { table[$0] } == slot) }
    var all = 0
    table.forEach { slot in
      all += 1
      #expect(model[slot.key] == slot)
    }
    #expect(all == model.count)
  }

  /// All hashes belong at the very end of the table, so that the search must continue at its beginning.
  @Test func hashesAtTheEndOfTheTable() {
    var table = IndexTable()
    for i in 0..<2000 {
      #expect(table.insert(slot(.max - UInt64(i % 3), UInt32(i), i + 1)) { _ in true } == nil)
    }
    for i in 0..<2000 {
      #expect(
        table.find(Fingerprint(hash: .max - UInt64(i % 3), tag: UInt32(i))).map { table[$0].location.offset }
          == (i + 1) * 8)
    }
  }

  @Test func bytesPerEntryAreAsDocumented() {
    var random = Seeded(state: 1)
    var table = IndexTable()
    for i in 1...100_000 {
      _ = table.insert(slot(random.next(), UInt32(i), i)) { _ in true }
      if i > 1000 {
        let bytes = Double(table.capacity * IndexSlot.size) / Double(i)
        #expect(bytes >= 27 && bytes < 35.5, "\(i)")
      }
    }
    #expect(MemoryLayout<IndexSlot>.stride == IndexSlot.size)
  }

  @Test func growingDropsWhatIsNotWorthKeeping() {
    var table = IndexTable()
    var random = Seeded(state: 2)
    for i in 1...10_000 { _ = table.insert(slot(random.next(), UInt32(i), i)) { $0.tag + 100 > UInt32(i) } }
    #expect(table.count < 400)
  }
}
