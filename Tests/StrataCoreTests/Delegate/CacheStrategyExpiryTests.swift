import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("Cache strategies: no item is served after its expiry in the store")
struct CacheStrategyExpiryTests {
  let time = ManualClock()

  @Test(
    "the chain's own expiry applies to the cached item too",
    arguments: [CacheStrategy.cache, .cacheOnFailure])
  func delegateOverChain(_ strategy: CacheStrategy) async throws {
    let store = DictionaryStorage<String, Int>(expiry: .seconds(60), clock: time.clock)
    let delegate = StorageDelegate(store, forKey: "token", cacheStrategy: strategy)
    try await delegate.save(item: 1)
    time.advance(by: 59)
    #expect(try await delegate.get() == 1)
    time.advance(by: 1)
    #expect(try await delegate.get() == nil)
    store.fail(.read)
    await #expect(throws: Failure.first) { try await delegate.get() }
  }

  @Test("an item that has expired since it was read is not returned when the store fails")
  func expiredToken() async throws {
    let store = DictionaryStorage<String, Int>(clock: time.clock)
    try await store.setObject(1, forKey: "token", expiry: .seconds(60))
    let delegate = StorageDelegate(store, forKey: "token", cacheStrategy: .cacheOnFailure)
    #expect(try await delegate.get() == 1)
    store.fail(.read)
    time.advance(by: 59)
    #expect(try await delegate.get() == 1)
    time.advance(by: 1)
    await #expect(throws: Failure.first) { try await delegate.get() }
  }

  @Test(
    "an update that the store refuses does not prolong the cached item",
    arguments: [CacheStrategy.cache, .cacheOnFailure], Half.allCases)
  func refusedUpdate(_ strategy: CacheStrategy, _ half: Half) async throws {
    let store = DictionaryStorage<String, Int>(clock: time.clock)
    let cache = DictionaryStorage<String, Int>(clock: time.clock)
    let cached = CacheStrategyStorage(store, cache: cache, strategy: strategy)
    try await cached.setObject(1, forKey: "a", expiry: .seconds(60))
    let expiry = try await cached.expiryIfPresent(forKey: "a")
    store.fail(.write)
    await #expect(throws: Failure.first) {
      switch half {
      case .sync: try blocking { try cached.replaceObject(2, forKey: "a", expiry: expiry) }
      case .async: try await cached.replaceObject(2, forKey: "a", expiry: expiry)
      }
    }
    #expect(cache.objects == ["a": 2])
    #expect(try await cache.expiryIfPresent(forKey: "a") == .date(time.date.addingTimeInterval(60)))
  }

  @Test("a delegate over a delegate uses the expiry as well", arguments: strategies)
  func nested(_ inner: CacheStrategy) async throws {
    let store = DictionaryStorage<String, Int>(expiry: .seconds(60), clock: time.clock)
    let delegate = StorageDelegate(
      delegate: StorageDelegate(store, forKey: "token", cacheStrategy: inner), cacheStrategy: .cache)
    try await delegate.save(item: 1)
    time.advance(by: 60)
    #expect(try await delegate.get() == nil)
  }

  @Test(
    "a value saved without an expiry is cached with the store's",
    arguments: [CacheStrategy.cache, .cacheOnFailure], Half.allCases)
  func linkOverStore(_ strategy: CacheStrategy, _ half: Half) async throws {
    let store = DictionaryStorage<String, Int>(expiry: .seconds(60), clock: time.clock)
    let cache = DictionaryStorage<String, Int>(clock: time.clock)
    let cached = CacheStrategyStorage(store, cache: cache, strategy: strategy, cacheExpiry: .seconds(90))
    let link: any StorageAware<String, Int> = half == .sync ? SyncFace(base: cached) : cached
    try await link.setObject(1, forKey: "a", expiry: nil)
    try await link.setObjects(["b": 2, "c": 3], expiry: nil)
    try await link.setObject(4, forKey: "d", expiry: .seconds(30))
    for key in ["a", "b", "c"] {
      #expect(try await cache.expiryIfPresent(forKey: key) == .date(time.date.addingTimeInterval(60)))
    }
    #expect(try await cache.expiryIfPresent(forKey: "d") == .date(time.date.addingTimeInterval(30)))
    time.advance(by: 60)
    for key in ["a", "b", "c", "d"] { #expect(try await link.objectIfPresent(forKey: key) == nil) }
  }

  @Test("the cache's own expiry removes a value that lives longer in the store", arguments: Half.allCases)
  func cacheExpiresFirst(_ half: Half) async throws {
    let store = DictionaryStorage<String, Int>(expiry: .seconds(60), clock: time.clock)
    let cache = DictionaryStorage<String, Int>(expiry: .seconds(10), clock: time.clock)
    let cached = CacheStrategyStorage(
      store, cache: cache, strategy: .cacheOnFailure, cacheExpiry: .seconds(10))
    let link: any StorageAware<String, Int> = half == .sync ? SyncFace(base: cached) : cached
    try await link.setObject(1, forKey: "saved", expiry: nil)
    try await store.setObject(2, forKey: "read", expiry: nil)
    _ = try await link.objectIfPresent(forKey: "read")
    for key in ["saved", "read"] {
      #expect(try await cache.expiryIfPresent(forKey: key) == .date(time.date.addingTimeInterval(10)))
    }
  }

  @Test("a save succeeds if the store cannot return the expiry afterwards", arguments: Half.allCases)
  func expiryUnknown(_ half: Half) async throws {
    let test = LinkUnderTest(.cache, half)
    test.store.fail(.read)
    try await test.link.setObject(1, forKey: "a", expiry: nil)
    #expect(try await test.link.objectIfPresent(forKey: "a") == 1)
  }
}
