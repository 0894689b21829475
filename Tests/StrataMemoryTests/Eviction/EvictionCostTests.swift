import TestSupport
import Testing

@testable import StrataMemory

@Suite("Eviction: costs")
struct EvictionCostTests {
  @Test
  func `The total cost never exceeds the limit, and little of the limit is unused`() {
    let model = EvictionModel(costLimit: 1_000)
    var random = SeededGenerator(seed: 10)
    for step in 0..<20_000 {
      let key = Int(random.next() % 500)
      model.use(key, cost: 1 + key % 40)
      #expect(model.cost <= 1_000)
      if step > 500 { #expect(model.cost > 900) }
      if step % 101 == 0 { model.check() }
    }
  }

  @Test
  func `Of equally popular entries, cheap ones are hit far more often`() {
    let model = EvictionModel(costLimit: 2_000)
    var random = SeededGenerator(seed: 11)
    var (hits, uses) = ([0, 0], [0, 0])
    // Even keys cost 1, odd ones 50: only a part of all entries fits.
    for step in 0..<60_000 {
      let key = Int(random.next() % 1_000)
      let isHit = model.use(key, cost: key % 2 == 0 ? 1 : 50)
      guard step > 30_000 else { continue }
      uses[key % 2] += 1
      if isHit { hits[key % 2] += 1 }
    }
    #expect(Double(hits[0]) / Double(uses[0]) > 0.3)
    #expect(Double(hits[0]) / Double(uses[0]) > 4 * Double(hits[1]) / Double(uses[1]))
  }

  @Test
  func `Large entries that are used once evict small used ones only for a moment`() {
    let model = EvictionModel(costLimit: 1_000)
    for _ in 0..<10 { model.hitRatio(0..<500) }
    for big in 0..<50 {
      model.use(1_000_000 + big, cost: 400)
      #expect(model.contains(1_000_000 + big))
      model.hitRatio(0..<500)
    }
    // Only one of them is in the cache at a time: the next one evicts it, and not the small entries.
    #expect(model.index.keys.count { $0 >= 1_000_000 } == 1)
    #expect(model.hitRatio(0..<500) > 0.99)
    model.check()
  }

  @Test
  func `An entry whose cost grows evicts others`() throws {
    let model = EvictionModel(costLimit: 100)
    for key in 0..<100 { model.use(key) }
    try model.changeCost(of: 50, to: 90)
    #expect(model.contains(50))
    #expect(model.cost == 100)
    try model.changeCost(of: 50, to: 100)
    #expect(model.index.count == 1 && model.contains(50))
    model.check()
  }

  @Test
  func `Entries that cost nothing are kept, and do not affect others`() {
    let model = EvictionModel(countLimit: 50, costLimit: 100)
    for round in 0..<200 {
      model.use(round % 60, cost: 0)
      model.use(1_000 + round % 30, cost: 10)
      model.check()
    }
  }
}
