import Foundation
import Testing

@testable import strata_bench

/// Checks that every contender does the work for which it is timed.
struct CachesTests {
  static let caches: [any Cache<String, Int>] = [
    LockedDictionary(), PthreadDictionary(), ShardedDictionary(), TextbookLRU(capacity: 100),
    FoundationCache(), StrataCache(),
  ]

  @Test(arguments: caches.indices) func `the last stored value is read`(_ index: Int) throws {
    let cache = Self.caches[index]
    let keys = [String](numbers: 0..<50)
    #expect(try cache.read(keys) == 0)
    #expect(try cache.write(3, forKeys: keys) == 50)
    #expect(try cache.write(5, forKeys: Array(keys.prefix(10))) == 10)
    #expect(try cache.read(keys) == 10 * 5 + 40 * 3)
    #expect(try cache.readThrough(keys + ["new", "new"], 1) == 51, "the first read of a new key stores it")
  }

  @Test func `an actor returns stored values`() throws {
    let actor = ActorDictionary<Int, Int>()
    #expect(try actor.write(3, forKeys: Array(0..<10)) == 10)
    #expect(try actor.read(Array(0..<20)) == 30)
  }

  @Test func `the textbook LRU evicts the least recently used entry`() {
    let cache = TextbookLRU<Int, Int>(capacity: 3)
    for key in 1...3 { cache.store(key, forKey: key) }
    #expect(cache.value(forKey: 1) == 1)
    cache.store(20, forKey: 2)
    cache.store(4, forKey: 4)
    #expect([1, 2, 3, 4].map { cache.value(forKey: $0) } == [1, 20, nil, 4])
    cache.store(5, forKey: 5)
    #expect([1, 2, 4, 5].map { cache.value(forKey: $0) } == [nil, 20, 4, 5])
  }

  @Test func `an LRU of one entry works too`() {
    let cache = TextbookLRU<Int, Int>(capacity: 1)
    for key in 1...3 {
      cache.store(key, forKey: key)
      #expect(cache.value(forKey: key) == key)
      #expect(cache.value(forKey: key - 1) == nil)
    }
  }

  @Test func `keys have the stated length and differ`() {
    let keys = [String](numbers: [0, 7, 99_999_999])
    #expect(keys.map(\.count) == [9, 9, 9])
    #expect(Set(keys).count == 3)
  }
}
