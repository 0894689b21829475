import TestSupport
import Testing

@testable import StrataMemory

@Suite("MemoryStorage: every configuration")
struct MemoryModelTests {
  private static let expiries: [Expiry?] = [nil, nil, .never, .seconds(5), .seconds(0)]

  @Test("it agrees with a simple model at every step", arguments: MemorySetup.all, [1, 2] as [UInt64])
  func model(_ setup: MemorySetup, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let time = ManualClock()
    let memory = MemoryStorage<Int, Int>(config: setup.config(time)) { _, value in value }
    var model = MemoryModel(setup: setup, time: time)
    let keys = 0..<(setup.countLimit == 1024 ? 1400 : 40)

    func stored() -> Set<Int> {
      var stored: Set<Int> = []
      memory.shards.withAllTables { table in stored.formUnion(table.storedKeys) }
      return stored
    }

    for step in 0..<1200 {
      let key = Int.random(in: keys, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50:
        let value = Int.random(in: -1...12, using: &random)
        let expiry = Self.expiries[Int.random(in: 0..<5, using: &random)]
        try memory.setObject(value, forKey: key, expiry: expiry)
        #expect(model.write(value, key, expiry, left: stored()) == [], "step \(step)")
      case 50..<70:
        let entry = try memory.entryIfPresent(forKey: key)
        #expect(entry?.object == model.items[key]?.value)
        #expect(entry?.expiry == model.items[key]?.expiry)
        model.read(key)
      case 70..<80:
        #expect(
          try memory.objectIfPresent(forKey: key) == (model.isLive(key) ? model.items[key]?.value : nil))
        model.read(key)
      case 80..<88:
        guard let item = model.items[key], model.isLive(key) else {
          #expect(throws: StorageError.notFound) { try memory.update(forKey: key) { $0 += 1 } }
          break
        }
        #expect(try memory.update(forKey: key) { $0 += 1 } == item.value + 1)
        #expect(model.write(item.value + 1, key, item.expiry, left: stored()) == [], "step \(step)")
      case 88..<94:
        try memory.removeObject(forKey: key)
        model.items[key] = nil
      case 94..<98: time.advance(by: 1)
      case 98:
        try memory.removeExpiredObjects()
        model.items = model.items.filter { model.isLive($0.key) }
      default:
        guard step % 4 == 0 else { break }
        try memory.removeAll()
        model.items = [:]
      }
      #expect(memory.count == model.items.count)
      #expect(try Set(memory.keys()) == Set(model.items.keys.filter(model.isLive)))
      #expect(try memory.objectExists(forKey: key) == model.isLive(key))
    }
    memory.shards.withAllTables { table in #expect(table.flaws == []) }
    for (key, item) in model.items { #expect(memory.peek(forKey: key)?.object == item.value) }
  }
}
