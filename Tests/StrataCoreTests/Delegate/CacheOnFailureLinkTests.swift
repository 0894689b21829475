import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("CacheStrategyStorage: cacheOnFailure")
struct CacheOnFailureLinkTests {
  @Test(
    "a read caches the value with its expiry; a read of an absent value removes it from the cache",
    arguments: Half.allCases)
  func learning(_ half: Half) async throws {
    let test = LinkUnderTest(.cacheOnFailure, half)
    try await test.store.setObject(1, forKey: "a", expiry: .seconds(5))
    try await test.store.setObject(2, forKey: "b")
    _ = try await test.link.entryIfPresent(forKey: "a")
    _ = try await test.link.entries(forKeys: ["b", "c"])
    #expect(test.cache.objects == ["a": 1, "b": 2])
    #expect(try await test.cache.expiryIfPresent(forKey: "a") == test.store.expiryIfPresent(forKey: "a"))
    try await test.store.removeAll()
    #expect(try await test.link.entries(forKeys: ["a", "c"]).isEmpty)
    #expect(test.cache.objects == ["b": 2])
    #expect(try await test.link.entryIfPresent(forKey: "b") == nil)
    #expect(test.cache.objects == [:])
  }

  @Test("if the store fails, the cache is read if it has all requested values", arguments: Half.allCases)
  func fallback(_ half: Half) async throws {
    let test = LinkUnderTest(.cacheOnFailure, half)
    try await test.store.setObjects(["a": 1, "b": 2], expiry: nil)
    _ = try await test.link.entries(forKeys: ["a", "b"])
    test.store.fail(.read, .keys, with: Failure.second)
    #expect(try await test.link.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": 1, "b": 2])
    #expect(try await test.link.entryIfPresent(forKey: "a")?.object == 1)
    #expect(try await test.link.expiryIfPresent(forKey: "a") == .never)
    #expect(Set(try await test.link.keys()) == ["a", "b"])
    await #expect(throws: Failure.second) { try await test.link.entries(forKeys: ["a", "c"]) }
    await #expect(throws: Failure.second) { try await test.link.entryIfPresent(forKey: "c") }
    await #expect(throws: Failure.second) { try await test.link.expiryIfPresent(forKey: "c") }
    try await test.link.removeInMemoryObject(forKey: "a")
    try await test.link.removeInMemoryObject(forKey: "b")
    await #expect(throws: Failure.second) { try await test.link.keys() }
  }

  @Test(
    "an expired cached value is not returned: the store's error is thrown", arguments: Half.allCases)
  func expiredFallback(_ half: Half) async throws {
    let test = LinkUnderTest(.cacheOnFailure, half)
    try await test.link.setObject(1, forKey: "a", expiry: .seconds(5))
    _ = try await test.link.entryIfPresent(forKey: "a")
    test.store.fail(.read)
    #expect(try await test.link.objectIfPresent(forKey: "a") == 1)
    test.time.advance(by: 5)
    await #expect(throws: Failure.first) { try await test.link.objectIfPresent(forKey: "a") }
  }

  @Test("saved values are cached, whether the save succeeds or fails", arguments: Half.allCases)
  func saves(_ half: Half) async throws {
    let test = LinkUnderTest(.cacheOnFailure, half)
    try await test.link.setObjects(["a": 1, "b": 2, "c": 3], expiry: nil)
    _ = try await test.link.entries(forKeys: ["a", "b", "c"])
    try await test.link.setObject(4, forKey: "a", expiry: nil)
    try await test.link.setObjects(["b": 5], expiry: nil)
    #expect(test.cache.objects == ["a": 4, "b": 5, "c": 3])
    test.store.fail(.write)
    await #expect(throws: Failure.first) { try await test.link.setObjects(["b": 6, "d": 7], expiry: nil) }
    await #expect(throws: Failure.first) { try await test.link.setObject(8, forKey: "a", expiry: nil) }
    #expect(test.cache.objects == ["a": 8, "b": 6, "c": 3, "d": 7])
    #expect(Set(try await test.link.keys()) == ["a", "b", "c"])
  }
}
