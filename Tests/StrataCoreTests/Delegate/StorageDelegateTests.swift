import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("StorageDelegate: every strategy")
struct StorageDelegateTests {
  @Test("an absent item is nil, not an error", arguments: strategies)
  func nothing(_ strategy: CacheStrategy) async throws {
    #expect(try await DelegateUnderTest(strategy).delegate.get() == nil)
  }

  @Test("a saved item is stored and read", arguments: strategies)
  func saveAndGet(_ strategy: CacheStrategy) async throws {
    let test = DelegateUnderTest(strategy)
    for item in [1, 2] {
      try await test.delegate.save(item: item)
      #expect(test.stored == item)
      #expect(try await test.delegate.get() == item)
    }
  }

  @Test("a save that fails throws the store's error, and the store keeps its item", arguments: strategies)
  func saveFails(_ strategy: CacheStrategy) async throws {
    let test = DelegateUnderTest(strategy)
    try await test.delegate.save(item: 1)
    test.store.fail(.write, with: Failure.second)
    await #expect(throws: Failure.second) { try await test.delegate.save(item: 2) }
    #expect(test.stored == 1)
  }

  @Test("a deletion removes the item from the store and the cache", arguments: strategies)
  func delete(_ strategy: CacheStrategy) async throws {
    let test = DelegateUnderTest(strategy)
    try await test.delegate.save(item: 1)
    #expect(try await test.delegate.get() == 1)
    try await test.delegate.delete()
    #expect(test.stored == nil)
    #expect(try await test.delegate.get() == nil)
    test.store.fail(.read)
    await #expect(throws: Failure.first) { try await test.delegate.get() }
  }

  @Test("a deletion that fails in the store removes the cached item all the same", arguments: strategies)
  func deleteFails(_ strategy: CacheStrategy) async throws {
    let test = DelegateUnderTest(strategy)
    try await test.delegate.save(item: 1)
    #expect(try await test.delegate.get() == 1)
    test.store.fail(.remove, .read, with: Failure.second)
    await #expect(throws: Failure.second) { try await test.delegate.delete() }
    await #expect(throws: Failure.second) { try await test.delegate.get() }
    #expect(test.stored == 1)
  }

  @Test("a delegate works with any store of one item", arguments: strategies)
  func overMemory(_ strategy: CacheStrategy) async throws {
    let memory = Memory<Int>()
    let delegate = StorageDelegate(delegate: memory, cacheStrategy: strategy)
    try await delegate.save(item: 1)
    #expect(await memory.get() == 1)
    #expect(try await delegate.get() == 1)
    try await delegate.delete()
    #expect(await memory.get() == nil)
    #expect(try await delegate.get() == nil)
  }

  @Test("a delegate can wrap a delegate")
  func nested() async throws {
    let store = DictionaryStorage<String, Int>()
    let inner = StorageDelegate(store, forKey: "item", cacheStrategy: .cacheOnFailure)
    let outer = StorageDelegate(delegate: inner, cacheStrategy: .cache)
    store.fail(.write, .read)
    await #expect(throws: Failure.first) { try await outer.save(item: 1) }
    #expect(try await outer.get() == 1)
    #expect(try await inner.get() == 1)
  }

  @Test("the names in capitals are aliases of the strategies")
  func names() {
    #expect([.NO_CACHE, .CACHE, .CACHE_ON_FAILURE] == strategies)
  }
}
