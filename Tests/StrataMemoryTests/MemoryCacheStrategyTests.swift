import StrataMemory
import Testing

@Suite("cacheStrategy(_:) with a memory")
struct MemoryCacheStrategyTests {
  typealias Store = MemoryStorage<String, Int>

  static let strategies: [CacheStrategy] = [.noCache, .cache, .cacheOnFailure]

  /// Returns a chain whose type only provides the asynchronous functions.
  private func asynchronous(
    _ store: some StorageAware<String, Int>, _ strategy: CacheStrategy
  ) -> some StorageAware<String, Int> { store.cacheStrategy(strategy) }

  @Test("a synchronous store stays synchronous", arguments: strategies)
  func sync(_ strategy: CacheStrategy) throws {
    let store = Store()
    let link = store.cacheStrategy(strategy)
    try link.setObject(1, forKey: "a")
    #expect(try link.object(forKey: "a") == 1)
    #expect(try store.object(forKey: "a") == 1)
    #expect(try link.keys() == ["a"])
    try link.removeAll()
    #expect(try link.objectIfPresent(forKey: "a") == nil)
    #expect(store.count == 0)
  }

  @Test("an asynchronous store is used with `await`", arguments: strategies)
  func async(_ strategy: CacheStrategy) async throws {
    let store = Store()
    let link = asynchronous(store, strategy)
    try await link.setObject(1, forKey: "a")
    #expect(try await link.object(forKey: "a") == 1)
    #expect(store.peek(forKey: "a")?.object == 1)
    try await link.removeObject(forKey: "a")
    #expect(try await link.keys() == [])
    #expect(store.count == 0)
  }

  @Test("only with `cache` a read does not use the store")
  func answers() throws {
    for (strategy, expected) in [(.noCache, 2), (.cache, 1), (.cacheOnFailure, 2)] as [(CacheStrategy, Int)] {
      let store = Store()
      let link = store.cacheStrategy(strategy)
      try link.setObject(1, forKey: "a")
      try store.setObject(2, forKey: "a")
      #expect(try link.object(forKey: "a") == expected)
    }
  }

  @Test("the memory has limits and an expiry of its own")
  func limits() throws {
    let time = ManualClock()
    let store = Store(config: MemoryConfig(clock: time.clock))
    let config = MemoryConfig(expiry: .seconds(10), countLimit: 1, clock: time.clock)
    let link = store.cacheStrategy(.cache, memory: config)
    for key in ["a", "b"] {
      try link.setObject(1, forKey: key)
      try store.setObject(2, forKey: key)
    }
    #expect(try link.object(forKey: "b") == 1)
    #expect(try link.object(forKey: "a") == 2)
    try link.setObject(3, forKey: "a")
    try store.setObject(4, forKey: "a")
    #expect(try link.object(forKey: "a") == 3)
    time.advance(by: 10)
    #expect(try link.object(forKey: "a") == 4)
  }

  @Test("the cost function determines the cost of values")
  func costs() throws {
    let store = Store()
    let link = store.cacheStrategy(.cache, memory: MemoryConfig(totalCostLimit: 10)) { _, value in value }
    for key in ["a", "b", "c"] {
      try link.setObject(4, forKey: key)
      try store.setObject(0, forKey: key)
    }
    let cached = try ["a", "b", "c"].count { try link.object(forKey: $0) == 4 }
    #expect(cached == 2, "of three that cost 4, two fit in 10")
  }
}
