import BenchHarness
import BenchTraces
import Testing

extension Trace {
  /// Creates a trace of given keys, renumbered in order of appearance.
  init(_ keys: some Sequence<Int>, costs: ((Int) -> Int)? = nil) {
    self.init(name: "test", hasCosts: costs != nil)
    var numbers: [Int: Int32] = [:]
    for key in keys {
      let number = numbers[key, default: Int32(numbers.count)]
      numbers[key] = number
      add(number, cost: costs?(key) ?? 1)
    }
  }

  static func random(_ count: Int, of keys: Int, seed: UInt64) -> Trace {
    Trace(KeySequence.zipf(count, of: keys, exponent: 0.8, seed: seed))
  }
}

struct PolicyTests {
  /// Returns the hit ratio of a slow, simple LRU cache.
  func plainLRU(_ trace: Trace, capacity: Int) -> Double {
    var recent: [(key: Int32, cost: Int)] = []
    var hits = 0
    for (index, key) in trace.requests.enumerated() {
      if let place = recent.firstIndex(where: { $0.key == key }) {
        hits += 1
        recent.remove(at: place)
      }
      recent.append((key, trace.cost(at: index)))
      while recent.reduce(0, { $0 + $1.cost }) > capacity { recent.removeFirst() }
    }
    return Double(hits) / Double(trace.requests.count)
  }

  /// Returns the best possible number of hits, by trying every choice of entries to keep after each request.
  func best(_ keys: ArraySlice<Int32>, _ resident: Set<Int32>, capacity: Int) -> Int {
    guard let key = keys.first else { return 0 }
    let rest = keys.dropFirst()
    if resident.contains(key) { return 1 + best(rest, resident, capacity: capacity) }
    let all = resident.union([key])
    if all.count <= capacity { return best(rest, all, capacity: capacity) }
    return all.map { best(rest, all.subtracting([$0]), capacity: capacity) }.max() ?? 0
  }

  @Test(arguments: [1, 2, 3, 7, 20, 50, 1000])
  func `stack distances predict the hits of an LRU cache`(_ capacity: Int) {
    let trace = Trace.random(3000, of: 60, seed: 5)
    #expect(StackDistances(trace).hitRatio(capacity: capacity) == plainLRU(trace, capacity: capacity))
  }

  @Test(arguments: [5, 17, 40, 100, 400])
  func `stack distances include costs`(_ capacity: Int) {
    let trace = Trace(KeySequence.uniform(2000, of: 40, seed: 6)) { $0 % 7 + 1 }
    #expect(StackDistances(trace).hitRatio(capacity: capacity) == plainLRU(trace, capacity: capacity))
  }

  @Test(arguments: 1...4, [UInt64(1), 2, 3])
  func `the optimum equals an exhaustive search`(_ capacity: Int, _ seed: UInt64) {
    let trace = Trace.random(18, of: 6, seed: seed)
    let hits = best(trace.requests[...], [], capacity: capacity)
    #expect(Optimum(trace).hitRatio(capacity: capacity) == Double(hits) / 18)
  }

  @Test func `on a loop larger than the cache, LRU hits nothing and the optimum hits what fits`() {
    let trace = Trace((0..<1000).map { $0 % 10 })
    #expect(StackDistances(trace).hitRatio(capacity: 9) == 0)
    #expect(StackDistances(trace).hitRatio(capacity: 10) == 0.99)
    #expect(Optimum(trace).hitRatio(capacity: 10) == 0.99)
    #expect((0.87...0.9).contains(Optimum(trace).hitRatio(capacity: 9)))
  }

  @Test func `a trace states its best hit ratio`() {
    let trace = Trace([1, 2, 1, 1], costs: { $0 * 10 })
    #expect(trace.uniqueCount == 2)
    #expect(trace.totalCost == 30)
    #expect(trace.bestHitRatio == 0.5)
    #expect(Trace([Int]()).bestHitRatio == 0)
    #expect(StackDistances(Trace([Int]())).hitRatio(capacity: 1) == 0)
  }
}
