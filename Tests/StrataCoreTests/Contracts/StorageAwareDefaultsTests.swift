import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("StorageAware: defaults built on six functions")
struct StorageAwareDefaultsTests {
  let base = DictionaryStorage<String, Int>()

  private func store(_ half: Half) -> any StorageAware<String, Int> {
    half == .sync ? MinimalSyncStorage(base: base) : MinimalAsyncStorage(base: base)
  }

  private func fill() throws {
    try base.setObject(1, forKey: "a")
    try base.setObject(2, forKey: "b", expiry: .seconds(3600))
    try base.setObject(3, forKey: "old", expiry: .date(.distantPast))
  }

  @Test("reads return values that have not expired, and no others", arguments: Half.allCases)
  func reading(_ half: Half) async throws {
    try fill()
    let store = store(half)
    #expect(try await store.object(forKey: "a") == 1)
    #expect(try await store.objectIfPresent(forKey: "b") == 2)
    #expect(try await store.retrieve(forKey: "a") == 1)
    #expect(try await store.entry(forKey: "a") == Entry(object: 1))
    for key in ["old", "x"] {
      let error = await #expect(throws: StorageError.self) { try await store.object(forKey: key) }
      #expect(error == .notFound)
      #expect(error?.key as? String == key)
      await #expect(throws: StorageError.notFound) { try await store.retrieve(forKey: key) }
      #expect(try await store.objectIfPresent(forKey: key) == nil)
    }
    #expect(try await store.entry(forKey: "old").expiry.isExpired)
    let error = await #expect(throws: StorageError.self) { try await store.entry(forKey: "x") }
    #expect(error == .notFound)
    #expect(error?.key as? String == "x")
  }

  @Test("isExpired is true for an absent value", arguments: Half.allCases)
  func existence(_ half: Half) async throws {
    try fill()
    for (key, exists) in ["a": true, "b": true, "old": false, "x": false] {
      #expect(try await store(half).objectExists(forKey: key) == exists)
      #expect(try await store(half).isExpiredObject(forKey: key) == !exists)
    }
    #expect(try await store(half).expiryIfPresent(forKey: "a") == .never)
    #expect(try await store(half).expiryIfPresent(forKey: "old") == .date(.distantPast))
    #expect(try await store(half).expiryIfPresent(forKey: "x") == nil)
  }

  @Test("a write without an expiry uses the store's default", arguments: Half.allCases)
  func writing(_ half: Half) async throws {
    try await store(half).setObject(1, forKey: "a")
    try await store(half).set(2, forKey: "b")
    #expect(base.objects == ["a": 1, "b": 2])
  }

  @Test("batches call the single functions one after the other", arguments: Half.allCases)
  func batches(_ half: Half) async throws {
    try fill()
    let found = try await store(half).entries(forKeys: ["a", "old", "x", "a"])
    #expect(found.mapValues(\.object) == ["a": 1, "old": 3])
    try await store(half).setObjects(["c": 4, "d": 5], expiry: .date(.distantFuture))
    #expect(base.objects == ["a": 1, "b": 2, "old": 3, "c": 4, "d": 5])
    #expect(try await base.expiryIfPresent(forKey: "c") == .date(.distantFuture))
    try await store(half).removeObjects(forKeys: ["a", "c", "x"])
    #expect(base.objects == ["b": 2, "old": 3, "d": 5])
    for nothing in [[], ["x"]] {
      #expect(try await store(half).entries(forKeys: nothing).isEmpty)
      try await store(half).removeObjects(forKeys: nothing)
    }
    #expect(base.objects.count == 3)
  }

  @Test("listings contain keys and values that have not expired", arguments: Half.allCases)
  func listing(_ half: Half) async throws {
    #expect(try await store(half).allKeys() == [])
    #expect(try await store(half).allObjects() == [])
    try fill()
    #expect(try await store(half).allKeys().sorted() == ["a", "b"])
    #expect(try await store(half).allObjects().sorted() == [1, 2])
  }

  @Test("an error of one of the six functions is thrown by all that use it", arguments: Half.allCases)
  func failures(_ half: Half) async throws {
    let store = store(half)
    base.fail(.read, .write, .remove, .keys)
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await store.object(forKey: "a") }, { _ = try await store.objectIfPresent(forKey: "a") },
      { _ = try await store.entry(forKey: "a") }, { _ = try await store.objectExists(forKey: "a") },
      { _ = try await store.isExpiredObject(forKey: "a") },
      { _ = try await store.expiryIfPresent(forKey: "a") },
      { _ = try await store.retrieve(forKey: "a") }, { _ = try await store.entries(forKeys: ["a"]) },
      { try await store.set(1, forKey: "a") }, { try await store.setObject(1, forKey: "a") },
      { try await store.setObjects(["a": 1], expiry: nil) },
      { try await store.removeObjects(forKeys: ["a"]) },
      { _ = try await store.allKeys() }, { _ = try await store.allObjects() },
    ]
    for call in calls { await #expect(throws: Failure.first) { try await call() } }
  }

  @Test("the default description of a store", arguments: Half.allCases)
  func design(_ half: Half) async throws {
    try fill()
    let store = store(half)
    #expect(store.peek(forKey: "a") == nil)
    #expect(store.mayBlock == (half == .sync))
    #expect(store.coordinator == nil, "a struct has no identity")
    #expect(base.coordinator != nil)
    #expect(base.coordinator === base.coordinator)
    #expect(store.wrappedStorages.isEmpty)
    try await store.removeInMemoryObject(forKey: "a")
    #expect(base.objects.count == 3)
  }

  /// In a function that is not `async`, so that the compiler chooses the synchronous variants.
  @Test("the same for calls without `await`")
  func withoutAwait() throws {
    try fill()
    let store = MinimalSyncStorage(base: base)
    #expect(try store.object(forKey: "a") == 1)
    #expect(try store.objectIfPresent(forKey: "old") == nil)
    #expect(try store.entry(forKey: "old").object == 3)
    #expect(try store.retrieve(forKey: "b") == 2)
    #expect(throws: StorageError.notFound) { try store.object(forKey: "old") }
    #expect(throws: StorageError.notFound) { try store.entry(forKey: "x") }
    #expect(try store.objectExists(forKey: "a"))
    #expect(try store.isExpiredObject(forKey: "old"))
    #expect(try store.allKeys().sorted() == ["a", "b"])
    #expect(try store.allObjects().sorted() == [1, 2])
    #expect(try store.entries(forKeys: ["a", "x"]) == ["a": Entry(object: 1)])
    try store.setObjects(["c": 3], expiry: nil)
    try store.setObject(4, forKey: "d")
    try store.set(5, forKey: "e")
    try store.removeObjects(forKeys: ["a", "b", "old"])
    #expect(base.objects == ["c": 3, "d": 4, "e": 5])
    try store.removeInMemoryObject(forKey: "c")
    #expect(base.objects.count == 3)
  }
}
