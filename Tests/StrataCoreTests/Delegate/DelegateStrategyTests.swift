import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("StorageDelegate: NO_CACHE")
struct NoCacheTests {
  @Test("it is the default strategy: every read reads the store")
  func alwaysFresh() async throws {
    let store = DictionaryStorage<String, Int>()
    let delegate = StorageDelegate(store, forKey: "item")
    try await delegate.save(item: 1)
    #expect(try await delegate.get() == 1)
    try await store.setObject(2, forKey: "item")
    #expect(try await delegate.get() == 2)
    #expect(store.calls(.read) == 2)
  }

  @Test("no item of a failed save or an earlier read is ever returned")
  func nothingKept() async throws {
    let test = DelegateUnderTest(.noCache)
    try await test.delegate.save(item: 1)
    #expect(try await test.delegate.get() == 1)
    test.store.fail(.write, .read)
    await #expect(throws: Failure.first) { try await test.delegate.save(item: 2) }
    await #expect(throws: Failure.first) { try await test.delegate.get() }
    test.store.work()
    #expect(try await test.delegate.get() == 1)
  }
}

@Suite("StorageDelegate: CACHE")
struct CacheTests {
  let test = DelegateUnderTest(.cache)

  @Test("a saved item is read from the cache, without the store")
  func served() async throws {
    try await test.delegate.save(item: 1)
    test.store.fail(.read)
    let reads = test.store.calls(.read)
    for _ in 0..<3 { #expect(try await test.delegate.get() == 1) }
    #expect(test.store.calls(.read) == reads)
  }

  @Test("with an empty cache the store is read, and the cache stays empty")
  func readIsNotCached() async throws {
    try test.storeDirectly(1)
    #expect(try await test.delegate.get() == 1)
    try test.storeDirectly(2)
    #expect(try await test.delegate.get() == 2)
    #expect(test.store.calls(.read) == 2)
  }

  @Test("the error of a failed read is thrown")
  func readFails() async throws {
    test.store.fail(.read, with: Failure.second)
    await #expect(throws: Failure.second) { try await test.delegate.get() }
  }

  @Test("if the store fails to save, the item stays in the cache")
  func failedSaveIsCached() async throws {
    try await test.delegate.save(item: 1)
    test.store.fail(.write)
    await #expect(throws: Failure.first) { try await test.delegate.save(item: 2) }
    #expect(try await test.delegate.get() == 2)
    #expect(test.stored == 1)
  }

  @Test("the item is cached first: a read during the save returns the new item without waiting")
  func cachedFirst() async throws {
    let slow = SlowStorage(DictionaryStorage(["item": 1]))
    let delegate = StorageDelegate(slow, forKey: "item", cacheStrategy: .cache)
    let gate = slow.stop(.write)
    async let saved: Void = delegate.save(item: 2)
    await gate.arrivals(1)
    #expect(try await delegate.get() == 2)
    #expect(slow.base.objects == ["item": 1])
    gate.open()
    try await saved
    #expect(slow.base.objects == ["item": 2])
  }
}

@Suite("StorageDelegate: CACHE_ON_FAILURE")
struct CacheOnFailureTests {
  let test = DelegateUnderTest(.cacheOnFailure)

  @Test("a successful read is cached, and returned when the store fails")
  func readIsCached() async throws {
    try test.storeDirectly(1)
    #expect(try await test.delegate.get() == 1)
    test.store.fail(.read)
    for _ in 0..<2 { #expect(try await test.delegate.get() == 1) }
  }

  @Test("while the store works, reads return its value and not the cached one")
  func fresh() async throws {
    try test.storeDirectly(1)
    #expect(try await test.delegate.get() == 1)
    try test.storeDirectly(2)
    #expect(try await test.delegate.get() == 2)
  }

  @Test("without a cached item the store's error is thrown")
  func noFallback() async throws {
    test.store.fail(.read, with: Failure.second)
    await #expect(throws: Failure.second) { try await test.delegate.get() }
  }

  @Test("a saved item is returned when the store fails, as in PingStorage's examples")
  func saveIsCached() async throws {
    try test.storeDirectly(1)
    #expect(try await test.delegate.get() == 1)
    try await test.delegate.save(item: 2)
    test.store.fail(.read)
    for _ in 0..<2 { #expect(try await test.delegate.get() == 2) }
  }

  @Test("a failed save caches the item, until a read of the store succeeds")
  func failedSaveIsCached() async throws {
    try await test.delegate.save(item: 1)
    test.store.fail(.write, .read)
    await #expect(throws: Failure.first) { try await test.delegate.save(item: 2) }
    #expect(try await test.delegate.get() == 2)
    test.store.work()
    #expect(try await test.delegate.get() == 1)
    test.store.fail(.read)
    #expect(try await test.delegate.get() == 1)
  }

  @Test("a successful read of an absent value clears the cache")
  func nothingClears() async throws {
    try test.storeDirectly(1)
    #expect(try await test.delegate.get() == 1)
    try test.storeDirectly(nil)
    #expect(try await test.delegate.get() == nil)
    test.store.fail(.read, with: Failure.second)
    await #expect(throws: Failure.second) { try await test.delegate.get() }
  }
}
