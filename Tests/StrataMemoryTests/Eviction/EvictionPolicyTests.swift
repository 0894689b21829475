import TestSupport
import Testing

@testable import StrataMemory

@Suite("Eviction: queues and limits")
struct EvictionPolicyTests {
  @Test(arguments: [1, 2, 10, 300])
  func `A cache fills up and stays full, whichever entries are used`(limit: Int) {
    let model = EvictionModel(countLimit: limit)
    for key in 0..<limit { model.use(key) }
    #expect(model.evicted.isEmpty)
    var random = SeededGenerator(seed: 1)
    for step in 0..<5_000 {
      model.use(Int(random.next() % UInt64(3 * limit)))
      #expect(model.index.count == limit)
      if step % 97 == 0 { model.check() }
    }
    model.check()
  }

  @Test(arguments: [1, 2, 10, 300])
  func `The last inserted entry stays until the next insertion`(limit: Int) {
    let model = EvictionModel(countLimit: limit)
    var random = SeededGenerator(seed: 2)
    for _ in 0..<5_000 {
      let key = Int(random.next() % UInt64(4 * limit))
      model.use(key)
      #expect(model.use(key))
      // Hits never evict anything, however many they are.
      model.use(model.index.keys.min() ?? key)
      #expect(model.contains(key))
    }
  }

  @Test(arguments: [1, 2, 10, 300])
  func `Removals, moves, changed costs and evictions leave both queues whole`(limit: Int) throws {
    let model = EvictionModel(countLimit: limit, costLimit: 5 * limit)
    var random = SeededGenerator(seed: 3)
    for step in 0..<5_000 {
      let key = Int(random.next() % UInt64(2 * limit))
      switch random.next() % 8 {
      case 0: model.remove(key)
      case 1 where model.contains(key): try model.move(key)
      case 2 where model.contains(key): try model.changeCost(of: key, to: Int(random.next() % 6))
      default: model.use(key, cost: Int(random.next() % 6))
      }
      if step % 31 == 0 || limit < 10 { model.check() }
    }
    for key in 0..<2 * limit { model.remove(key) }
    model.check()
    #expect(model.index.isEmpty && model.victim(sparing: nil) == nil)
  }

  @Test
  func `A spared entry is never the victim, even if it is the only entry`() {
    let model = EvictionModel(countLimit: 10)
    model.use(0)
    #expect(model.victim(sparing: 0) == nil)
    #expect(model.victim(sparing: nil) == 0)
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2_000 {
      model.use(Int(random.next() % 30))
      for key in model.index.keys {
        let victim = model.victim(sparing: key)
        #expect(victim != key)
        #expect((victim == nil) == (model.index.count == 1))
      }
    }
    model.check()
  }

  @Test
  func `A victim is found even if all entries were used`() {
    let model = EvictionModel(countLimit: 1_000)
    for key in 0..<1_000 { model.use(key) }
    for key in 0..<1_000 { model.use(key) }
    // At most sixteen used entries are skipped.
    model.use(1_000)
    #expect(model.evicted.count == 1)
    #expect(model.evicted.allSatisfy { $0 <= 17 })
  }
}
