import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// Tests that calls with `await` use a synchronous store's own functions, whatever its static type.
///
/// The compiler chooses an overload by the static type of the store, so each way to declare one has its own calls here.
@Suite("A synchronous store with await") struct AwaitedStoreTests {
  /// A store that records which of its functions are called.
  private final class Noting: TellingStorage {
    let base = DictionaryStorage<String, Int>()
    private let calls = Shared<[String]>([])

    /// Returns the calls since the last time.
    func take() -> [String] {
      calls.change { calls in
        defer { calls = [] }
        return calls
      }
    }

    private func note(_ call: String) { calls.change { $0.append(call) } }

    func entryIfPresent(forKey key: String) throws -> Entry<Int>? {
      note("read")
      return try base.entryIfPresent(forKey: key)
    }
    func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
      note("write")
      try base.setObject(object, forKey: key, expiry: expiry)
    }
    func removeObject(forKey key: String) throws {
      note("remove")
      try base.removeObject(forKey: key)
    }
    func removeAll() throws { note("remove all") }
    func removeExpiredObjects() throws { note("sweep") }
    func keys() throws -> [String] {
      note("keys")
      return try base.keys()
    }
    func expiryIfPresent(forKey key: String) throws -> Expiry? {
      note("expiry")
      return try base.expiryIfPresent(forKey: key)
    }
    func removeInMemoryObject(forKey key: String) throws { note("forget") }
    func replaceObject(_ object: Int, forKey key: String, expiry: Expiry?) throws { note("replace") }
    func entries(forKeys keys: [String]) throws -> [String: Entry<Int>] {
      note("read many")
      return try base.entries(forKeys: keys)
    }
    func setObjects(_ objects: [String: Int], expiry: Expiry?) throws { note("write many") }
    func removeObjects(forKeys keys: [String]) throws { note("remove many") }
  }

  /// The function of the store that each call below must reach, in order.
  private static let own = [
    "expiry", "forget", "replace", "read many", "write many", "remove many", "expiry", "expiry",
    // `allObjects` calls `keys`, and then reads no value because there are none.
    "keys",
    "read", "read", "write", "write", "remove", "remove all", "sweep", "keys",
  ]

  // Required functions, such as `removeObject`, have only a synchronous variant in this store, so they are called
  // without `await`.
  @Test("as its own type")
  func concrete() async throws {
    let store = Noting()
    _ = try await store.expiryIfPresent(forKey: "a")
    try await store.removeInMemoryObject(forKey: "a")
    try await store.replaceObject(1, forKey: "a", expiry: nil)
    _ = try await store.entries(forKeys: ["a", "b"])
    try await store.setObjects(["a": 1], expiry: nil)
    try await store.removeObjects(forKeys: ["a"])
    _ = try await store.objectExists(forKey: "a")
    _ = try await store.isExpiredObject(forKey: "a")
    _ = try await store.allObjects()
    _ = try await store.objectIfPresent(forKey: "a")
    await #expect(throws: StorageError.notFound) { try await store.retrieve(forKey: "a") }
    try await store.setObject(1, forKey: "a")
    try await store.set(1, forKey: "a")
    try await store.removeObject(forKey: "a")
    try await store.removeAll()
    try await store.removeExpiredObjects()
    _ = try await store.allKeys()
    #expect(store.take() == Self.own)
  }

  @Test("as any, some, and some synchronous store")
  func held() async throws {
    let store = Noting()
    try await callSome(store)
    #expect(store.take() == Self.own)
    try await callSomeSync(store)
    #expect(store.take() == Self.own)
    try await callAny(store)
    #expect(store.take() == Self.own)
    try await callAnySync(store)
    #expect(store.take() == Self.own)
  }

  @Test("without batch functions of its own, the store is called key by key")
  func minimal() async throws {
    let store = MinimalSyncStorage(base: DictionaryStorage())
    try await store.setObjects(["a": 1, "b": 2], expiry: nil)
    #expect(try await store.entries(forKeys: ["a", "b", "c"]).mapValues(\.object) == ["a": 1, "b": 2])
    #expect(try await store.expiryIfPresent(forKey: "a") == .never)
    try await store.removeInMemoryObject(forKey: "a")
    try await store.removeObjects(forKeys: ["a"])
    #expect(try await store.allObjects() == [2])
    // Calls the asynchronous requirement, which the default for synchronous stores implements.
    try await callSome(store)
  }

  private func callSome(_ store: some StorageAware<String, Int>) async throws {
    _ = try await store.expiryIfPresent(forKey: "a")
    try await store.removeInMemoryObject(forKey: "a")
    try await store.replaceObject(1, forKey: "a", expiry: nil)
    _ = try await store.entries(forKeys: ["a", "b"])
    try await store.setObjects(["a": 1], expiry: nil)
    try await store.removeObjects(forKeys: ["a"])
    _ = try await store.objectExists(forKey: "a")
    _ = try await store.isExpiredObject(forKey: "a")
    _ = try await store.allObjects()
    _ = try await store.objectIfPresent(forKey: "a")
    await #expect(throws: StorageError.notFound) { try await store.retrieve(forKey: "a") }
    try await store.setObject(1, forKey: "a")
    try await store.set(1, forKey: "a")
    try await store.removeObject(forKey: "a")
    try await store.removeAll()
    try await store.removeExpiredObjects()
    _ = try await store.allKeys()
  }

  private func callSomeSync(_ store: some SyncStorageAware<String, Int>) async throws {
    _ = try await store.expiryIfPresent(forKey: "a")
    try await store.removeInMemoryObject(forKey: "a")
    try await store.replaceObject(1, forKey: "a", expiry: nil)
    _ = try await store.entries(forKeys: ["a", "b"])
    try await store.setObjects(["a": 1], expiry: nil)
    try await store.removeObjects(forKeys: ["a"])
    _ = try await store.objectExists(forKey: "a")
    _ = try await store.isExpiredObject(forKey: "a")
    _ = try await store.allObjects()
    _ = try await store.objectIfPresent(forKey: "a")
    await #expect(throws: StorageError.notFound) { try await store.retrieve(forKey: "a") }
    try await store.setObject(1, forKey: "a")
    try await store.set(1, forKey: "a")
    try await store.removeObject(forKey: "a")
    try await store.removeAll()
    try await store.removeExpiredObjects()
    _ = try await store.allKeys()
  }

  private func callAny(_ store: any StorageAware<String, Int>) async throws {
    _ = try await store.expiryIfPresent(forKey: "a")
    try await store.removeInMemoryObject(forKey: "a")
    try await store.replaceObject(1, forKey: "a", expiry: nil)
    _ = try await store.entries(forKeys: ["a", "b"])
    try await store.setObjects(["a": 1], expiry: nil)
    try await store.removeObjects(forKeys: ["a"])
    _ = try await store.objectExists(forKey: "a")
    _ = try await store.isExpiredObject(forKey: "a")
    _ = try await store.allObjects()
    _ = try await store.objectIfPresent(forKey: "a")
    await #expect(throws: StorageError.notFound) { try await store.retrieve(forKey: "a") }
    try await store.setObject(1, forKey: "a")
    try await store.set(1, forKey: "a")
    try await store.removeObject(forKey: "a")
    try await store.removeAll()
    try await store.removeExpiredObjects()
    _ = try await store.allKeys()
  }

  private func callAnySync(_ store: any SyncStorageAware<String, Int>) async throws {
    _ = try await store.expiryIfPresent(forKey: "a")
    try await store.removeInMemoryObject(forKey: "a")
    try await store.replaceObject(1, forKey: "a", expiry: nil)
    _ = try await store.entries(forKeys: ["a", "b"])
    try await store.setObjects(["a": 1], expiry: nil)
    try await store.removeObjects(forKeys: ["a"])
    _ = try await store.objectExists(forKey: "a")
    _ = try await store.isExpiredObject(forKey: "a")
    _ = try await store.allObjects()
    _ = try await store.objectIfPresent(forKey: "a")
    await #expect(throws: StorageError.notFound) { try await store.retrieve(forKey: "a") }
    try await store.setObject(1, forKey: "a")
    try await store.set(1, forKey: "a")
    try await store.removeObject(forKey: "a")
    try await store.removeAll()
    try await store.removeExpiredObjects()
    _ = try await store.allKeys()
  }
}
