import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("CacheStrategyStorage: cache")
struct CacheLinkTests {
  @Test(
    "reads are served from the cache; values that only the store has are not cached", arguments: Half.allCases
  )
  func reads(_ half: Half) async throws {
    let test = LinkUnderTest(.cache, half)
    try await test.link.setObject(1, forKey: "a", expiry: nil)
    try await test.store.setObject(2, forKey: "b")
    #expect(try await test.link.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": 1, "b": 2])
    #expect(try await test.link.entryIfPresent(forKey: "b")?.object == 2)
    #expect(test.cache.objects == ["a": 1])
    test.store.fail(.read)
    #expect(try await test.link.entries(forKeys: ["a"]).mapValues(\.object) == ["a": 1])
    #expect(try await test.link.expiryIfPresent(forKey: "a") == .never)
    await #expect(throws: Failure.first) { try await test.link.entries(forKeys: ["a", "b"]) }
    await #expect(throws: Failure.first) { try await test.link.expiryIfPresent(forKey: "b") }
  }

  @Test(
    "a value whose save failed stays in the cache, is read and listed, and can be removed from memory",
    arguments: Half.allCases)
  func failedSave(_ half: Half) async throws {
    let test = LinkUnderTest(.cache, half)
    test.store.fail(.write)
    await #expect(throws: Failure.first) { try await test.link.setObject(1, forKey: "a", expiry: nil) }
    await #expect(throws: Failure.first) { try await test.link.setObjects(["b": 2], expiry: nil) }
    #expect(test.contents == [[:], ["a": 1, "b": 2]])
    #expect(Set(try await test.link.keys()) == ["a", "b"])
    #expect(try await test.link.entryIfPresent(forKey: "b")?.object == 2)
    try await test.link.removeInMemoryObject(forKey: "a")
    #expect(try await test.link.keys() == ["b"])
    test.store.fail(.keys)
    await #expect(throws: Failure.first) { try await test.link.keys() }
  }

  @Test("an entry that has expired in the cache is read from the store", arguments: Half.allCases)
  func expired(_ half: Half) async throws {
    let test = LinkUnderTest(.cache, half)
    try await test.link.setObject(1, forKey: "a", expiry: .seconds(1))
    test.time.advance(by: 2)
    try await test.store.setObject(2, forKey: "a")
    #expect(try await test.link.objectIfPresent(forKey: "a") == 2)
    #expect(try await test.link.entries(forKeys: ["a"]).mapValues(\.object) == ["a": 2])
    #expect(try await test.link.expiryIfPresent(forKey: "a") == .never)
    try await test.store.removeObject(forKey: "a")
    #expect(try await test.link.entryIfPresent(forKey: "a")?.object == 1)
    #expect(try await test.link.objectIfPresent(forKey: "a") == nil)
  }

  @Test("only the strategy `cache` returns cached entries without waiting")
  func peek() {
    for strategy in strategies {
      let store = PeekingStorage(["a": 1, "b": 2])
      let cache = PeekingStorage(["a": 10])
      let link = CacheStrategyStorage(store, cache: cache, strategy: strategy)
      switch strategy {
      case .noCache: #expect(link.peek(forKey: "a")?.object == 1)
      case .cache:
        #expect(link.peek(forKey: "a")?.object == 10)
        #expect(link.peek(forKey: "b")?.object == 2)
      case .cacheOnFailure: #expect(link.peek(forKey: "a") == nil)
      }
    }
  }
}
