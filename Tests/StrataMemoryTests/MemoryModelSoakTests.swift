import Foundation
import TestSupport
import Testing

@testable import StrataMemory

@Suite("MemoryStorage: every configuration")
struct MemoryModelSoakTests {
  private static let expiries: [Expiry?] = [nil, nil, .never, .seconds(5), .seconds(0)]

  @Test("it agrees with a simple model at every step", arguments: MemorySetup.all)
  func model(_ setup: MemorySetup) throws {
    var random = SeededGenerator(seed: UInt64(setup.countLimit + setup.costLimit * 7 + setup.shards))
    let time = ManualClock()
    let removals = Locked<[MemoryRemoval<Int, Int>]>([])
    let memory = setup.memory(time) { removal in removals.withLock { $0.append(removal) } }
    var model = MemoryModel(setup: setup, time: time)
    let keys = 0..<(setup.countLimit == 300 ? 400 : 40)
    var writes = 0
    var counted: [MemoryRemovalReason: Int] = [:]

    for step in 0..<Soak.rounds(300, soak: 6000) {
      let key = Int.random(in: keys, using: &random)
      var written: Int?
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50:
        let value = Int.random(in: -1...12, using: &random)
        let expiry = Self.expiries[Int.random(in: 0..<5, using: &random)]
        try memory.setObject(value, forKey: key, expiry: expiry)
        model.write(value, key, expiry)
        written = key
        writes += 1
      case 50..<65:
        let entry = try memory.entryIfPresent(forKey: key)
        if model.isLive(key) {
          model.read(key)
          #expect(entry?.object == model.items[key]?.value)
          #expect(entry?.expiry == model.items[key].map(model.expiry))
        } else {
          #expect(entry?.expiry.isExpired(by: time.clock) ?? true)
        }
      case 65..<80:
        let object = try memory.objectIfPresent(forKey: key)
        #expect(object == (model.isLive(key) ? model.items[key]?.value : nil))
        model.read(key)
      case 80..<88:
        guard let item = model.items[key], model.isLive(key) else {
          #expect(throws: StorageError.notFound) { try memory.update(forKey: key) { $0 += 1 } }
          break
        }
        #expect(try memory.update(forKey: key) { $0 += 1 } == item.value + 1)
        model.write(item.value + 1, key, item.ownExpiry)
        written = key
        writes += 1
      case 88..<92:
        try memory.removeObject(forKey: key)
        model.items[key] = nil
      case 92..<96: time.advance(by: Double(Int.random(in: 0..<16, using: &random)) / 4)
      // The clock is set back, by less than a timer's precision, by seconds, or by far.
      case 96: time.advance(by: [-0.25, -2, -6, -1000].randomElement(using: &random) ?? 0)
      case 97, 98:
        try memory.removeExpiredObjects()
        #expect(memory.count == model.live.count)
      default:
        guard step % 4 == 0 else { break }
        try memory.removeAll()
        model.items = [:]
      }
      var stored: Set<Int> = []
      memory.shards.withAllTables { stored.formUnion($0.storedKeys) }
      #expect(model.meet(stored, written: written) == [], "step \(step)")
      #expect(try Set(memory.keys()) == model.live)
      #expect(try memory.objectExists(forKey: key) == model.isLive(key))
      for removal in removals.withLock({ $0 }) {
        counted[removal.reason, default: 0] += 1
        if removal.reason == .countLimit { #expect(setup.countLimit > 0) }
        if removal.reason == .costLimit { #expect(setup.costLimit > 0) }
      }
      removals.withLock { $0 = [] }
    }
    memory.shards.withAllTables { #expect($0.flaws == []) }
    let statistics = memory.statistics
    #expect(statistics.removals.filter { $0.value > 0 } == counted)
    // Every written entry has been removed or is still stored; a value that costs too much was never stored.
    if setup.costLimit != 10 { #expect(writes == memory.count + counted.values.reduce(0, +)) }
    #expect(statistics.count == memory.count)
  }
}
