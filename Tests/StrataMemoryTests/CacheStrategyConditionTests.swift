import StrataMemory
import Synchronization
import Testing

/// A conditional store that executes calls and loses their answers.
private final class Answerless: SimpleConditionalStorage {
  struct Lost: Error {}

  let base: MemoryStorage<String, Int>
  let losesReads = Atomic(false)
  let losesTouches = Atomic(false)
  let traits: StoreTraits

  init(_ config: MemoryConfig) {
    base = MemoryStorage(config: config)
    traits = StoreTraits(ownExpiry: config.expiry)
  }

  var clock: StorageClock { base.clock }
  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    if losesReads.load(ordering: .relaxed) { throw Lost() }
    return try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try await base.removeObject(forKey: key) }
  func removeAll() async throws { try await base.removeAll() }
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  func keys() async throws -> [String] { try await base.keys() }
  func setIfAbsent(_ object: Int, forKey key: String, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(object, forKey: key, expiry: expiry)
  }
  func touch(forKey key: String, expiry: Expiry) async throws -> Bool {
    let isTouched = try await base.touch(forKey: key, expiry: expiry)
    if losesTouches.load(ordering: .relaxed) { throw Lost() }
    return isTouched
  }
}

@Suite("cacheStrategy(_:): a conditional write whose expiry is unknown")
struct CacheStrategyConditionTests {
  let time = ManualClock()

  /// Returns the chain as a conditional store.
  private func conditional(_ store: Answerless, _ strategy: CacheStrategy) throws
    -> any ConditionalStorage<String, Int>
  {
    let chain = store.cacheStrategy(strategy, memory: MemoryConfig(clock: time.clock))
    return try #require(chain as? any ConditionalStorage<String, Int>)
  }

  @Test(
    "setIfAbsent caches nothing while the store does not return the expiry",
    arguments: [CacheStrategy.cache, .cacheOnFailure])
  func ifAbsent(_ strategy: CacheStrategy) async throws {
    let store = Answerless(MemoryConfig(expiry: .seconds(10), clock: time.clock))
    let chain = try conditional(store, strategy)
    store.losesReads.store(true, ordering: .relaxed)
    #expect(try await chain.setIfAbsent(1, forKey: "a", expiry: nil))
    time.advance(by: 86_400)
    await #expect(throws: Answerless.Lost.self) { try await chain.objectIfPresent(forKey: "a") }
    store.losesReads.store(false, ordering: .relaxed)
    #expect(try await chain.objectIfPresent(forKey: "a") == nil)
  }

  @Test(
    "a touch that throws may have been executed: the cached value expires at the earlier time",
    arguments: [CacheStrategy.cache, .cacheOnFailure])
  func touch(_ strategy: CacheStrategy) async throws {
    let store = Answerless(MemoryConfig(clock: time.clock))
    let chain = try conditional(store, strategy)
    try await chain.setObject(1, forKey: "a", expiry: .seconds(60))
    store.losesTouches.store(true, ordering: .relaxed)
    for seconds in [10.0, 100] {
      await #expect(throws: Answerless.Lost.self) {
        try await chain.touch(forKey: "a", expiry: .seconds(seconds))
      }
    }
    store.losesReads.store(true, ordering: .relaxed)
    time.advance(by: 9)
    #expect(try await chain.objectIfPresent(forKey: "a") == 1)
    time.advance(by: 1)
    await #expect(throws: Answerless.Lost.self) { try await chain.objectIfPresent(forKey: "a") }
  }
}
