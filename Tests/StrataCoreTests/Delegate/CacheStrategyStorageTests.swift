import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("CacheStrategyStorage: every strategy")
struct CacheStrategyStorageTests {
  @Test(
    "values are read as they were written, key by key, until they are removed", arguments: strategies,
    Half.allCases)
  func basics(_ strategy: CacheStrategy, _ half: Half) async throws {
    let test = LinkUnderTest(strategy, half)
    try await test.link.setObject(1, forKey: "a", expiry: nil)
    try await test.link.setObjects(["b": 2, "c": 3], expiry: nil)
    #expect(test.store.objects == ["a": 1, "b": 2, "c": 3])
    #expect(try await test.link.entryIfPresent(forKey: "a")?.object == 1)
    let found = try await test.link.entries(forKeys: ["a", "b", "x"])
    #expect(found.mapValues(\.object) == ["a": 1, "b": 2])
    #expect(try await test.link.expiryIfPresent(forKey: "a") == .never)
    #expect(try await test.link.expiryIfPresent(forKey: "x") == nil)
    #expect(Set(try await test.link.keys()) == ["a", "b", "c"])
    #expect(try await test.link.keys().count == 3)

    try await test.link.removeObject(forKey: "a")
    try await test.link.removeObjects(forKeys: ["b", "x"])
    #expect(try await test.link.entryIfPresent(forKey: "a") == nil)
    #expect(try await test.link.keys() == ["c"])
    #expect(test.contents.allSatisfy { Set($0.keys).isSubset(of: ["c"]) })
    try await test.link.removeAll()
    #expect(test.contents == [[:], [:]])
  }

  @Test("a removal removes the cached value even if the store fails", arguments: strategies, Half.allCases)
  func removalFails(_ strategy: CacheStrategy, _ half: Half) async throws {
    let test = LinkUnderTest(strategy, half)
    let keys = ["a", "b", "c", "d"]
    func fill() async throws {
      test.store.work()
      for (index, key) in keys.enumerated() { try await test.link.setObject(index, forKey: key, expiry: nil) }
      _ = try await test.link.entries(forKeys: keys)
      test.store.fail(.remove, .removeAll)
    }
    try await fill()
    await #expect(throws: Failure.first) { try await test.link.removeObject(forKey: "a") }
    #expect(test.cache.objects["a"] == nil)
    await #expect(throws: Failure.first) { try await test.link.removeObjects(forKeys: ["b", "c"]) }
    #expect(test.cache.objects.keys.allSatisfy { $0 == "d" })
    try await fill()
    await #expect(throws: Failure.first) { try await test.link.removeAll() }
    #expect(test.cache.objects == [:])
    #expect(test.store.objects.count == 4)
  }

  @Test("if the cache fails after the store, the error names both failures", arguments: Half.allCases)
  func bothFail(_ half: Half) async throws {
    let test = LinkUnderTest(.cacheOnFailure, half)
    test.store.fail(.write, .remove, with: Failure.first)
    test.cache.fail(.write, .remove, with: Failure.second)
    for change in [
      { try await test.link.setObject(1, forKey: "a", expiry: nil) },
      { try await test.link.removeObject(forKey: "a") },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: StorageError.self) { try await change() }
      #expect(error == .backendFailed)
      #expect(error?.cause as? Failure == .first)
      #expect(error?.message.contains("second") == true)
    }
  }

  @Test(
    "a sweep removes expired entries from both, and from the cache even if the store fails",
    arguments: Half.allCases)
  func sweep(_ half: Half) async throws {
    let test = LinkUnderTest(.cache, half)
    try await test.link.setObject(1, forKey: "a", expiry: .seconds(1))
    try await test.link.setObject(2, forKey: "b", expiry: .seconds(9))
    test.time.advance(by: 1)
    test.store.fail(.sweep)
    await #expect(throws: Failure.first) { try await test.link.removeExpiredObjects() }
    #expect(test.contents == [["a": 1, "b": 2], ["b": 2]])
    test.store.work()
    try await test.link.removeExpiredObjects()
    #expect(test.contents == [["b": 2], ["b": 2]])
  }

  @Test(
    "a cancelled save is not a failure of the store: nothing is cached", arguments: Half.allCases)
  func cancelledSave(_ half: Half) async throws {
    for strategy in strategies {
      let test = LinkUnderTest(strategy, half)
      test.store.fail(.write, with: CancellationError())
      await asCancelled {
        await #expect(throws: CancellationError.self) {
          try await test.link.setObject(1, forKey: "a", expiry: nil)
        }
        await #expect(throws: CancellationError.self) {
          try await test.link.setObjects(["b": 2], expiry: nil)
        }
      }
      #expect(test.contents == [[:], [:]])
    }
  }

  @Test(
    "a cancelled read is not a failure of the store: nothing is returned from the cache",
    arguments: Half.allCases
  )
  func cancelledRead(_ half: Half) async throws {
    let test = LinkUnderTest(.cacheOnFailure, half)
    try await test.store.setObject(1, forKey: "a")
    _ = try await test.link.entryIfPresent(forKey: "a")
    test.store.fail(.read, .keys, with: CancellationError())
    await asCancelled {
      await #expect(throws: CancellationError.self) { try await test.link.entryIfPresent(forKey: "a") }
      await #expect(throws: CancellationError.self) { try await test.link.entries(forKeys: ["a"]) }
      await #expect(throws: CancellationError.self) { try await test.link.expiryIfPresent(forKey: "a") }
      await #expect(throws: CancellationError.self) { try await test.link.keys() }
    }
    #expect(test.cache.objects == ["a": 1])
  }

  @Test("a CancellationError thrown by the store itself counts as a failure", arguments: Half.allCases)
  func storeCancels(_ half: Half) async throws {
    let resilient = LinkUnderTest(.cacheOnFailure, half)
    try await resilient.link.setObject(1, forKey: "a", expiry: nil)
    resilient.store.fail(.read, .write, .keys, with: CancellationError())
    #expect(try await resilient.link.objectIfPresent(forKey: "a") == 1)
    #expect(try await resilient.link.keys() == ["a"])
    await #expect(throws: CancellationError.self) { try await resilient.link.setObject(2, forKey: "a") }
    #expect(try await resilient.link.objectIfPresent(forKey: "a") == 2)

    let fast = LinkUnderTest(.cache, half)
    fast.store.fail(.write, with: CancellationError())
    await #expect(throws: CancellationError.self) { try await fast.link.setObject(1, forKey: "a") }
    #expect(try await fast.link.objectIfPresent(forKey: "a") == 1)
  }

  /// Runs a closure in a task that has been cancelled.
  private func asCancelled(_ body: @escaping @Sendable () async -> Void) async {
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await body()
    }.value
  }

  @Test("an expiry in `.seconds` ends at the same moment in store and cache")
  func sameExpiry() async throws {
    let test = LinkUnderTest(.cache, .async)
    try await test.link.setObject(1, forKey: "a", expiry: .seconds(5))
    let expiry = Expiry.date(test.time.date.addingTimeInterval(5))
    #expect(try await test.store.expiryIfPresent(forKey: "a") == expiry)
    #expect(try await test.cache.expiryIfPresent(forKey: "a") == expiry)
  }

  @Test("its description contains the inner store")
  func design() {
    let store = DictionaryStorage<String, Int>()
    let cached = CacheStrategyStorage(store, cache: DictionaryStorage(), strategy: .cache)
    #expect(cached.wrappedStorages.count == 2)
    #expect(cached.wrappedStorages.last as? DictionaryStorage<String, Int> === store)
    #expect(CacheStrategyStorage(store, cache: store, strategy: .noCache).wrappedStorages.count == 1)
    #expect(cached.coordinator === store.coordinator)
    #expect(!CacheStrategyStorage(store, cache: store, strategy: .noCache).mayBlock)
    #expect(cached.mayBlock, "it has turns, and tasks that are suspended may have one")
  }
}
