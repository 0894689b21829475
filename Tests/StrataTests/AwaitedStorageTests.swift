import Dispatch
import Foundation
import Strata
import TestSupport
import Testing

/// With `await`, `Storage` does not block: it calls the disk on other threads.
@MainActor
@Suite("Storage with await") struct AwaitedStorageTests {
  private let disk = WatchedDisk()
  private let memory = MemoryStorage<String, TypeWrapper>()

  private var storage: Storage<String, Int> {
    Storage(front: memory, back: disk, transformer: .codable(Int.self))
  }

  /// Expects at least one call of the disk, and none on a caller's thread.
  private func expectNoBlocking(_ call: String = #function, sourceLocation: SourceLocation = #_sourceLocation)
  {
    let (count, inTasks) = disk.take()
    #expect(count > 0, sourceLocation: sourceLocation)
    #expect(inTasks == [], sourceLocation: sourceLocation)
  }

  @Test("every function of the contract can be awaited")
  func contract() async throws {
    let storage = storage
    try await storage.setObject(1, forKey: "a", expiry: nil)
    expectNoBlocking()
    try await storage.setObject(1, forKey: "a")
    expectNoBlocking()
    try await storage.set(1, forKey: "a")
    expectNoBlocking()
    try await storage.setObjects(["a": 1, "b": 2, "c": 3], expiry: nil)
    expectNoBlocking()

    try await storage.removeInMemoryObject(forKey: "a")
    #expect(storage.peek(forKey: "a") == nil)
    #expect(try await storage.object(forKey: "a") == 1)
    expectNoBlocking()
    try await storage.removeInMemoryObject(forKey: "a")
    #expect(try await storage.objectIfPresent(forKey: "a") == 1)
    expectNoBlocking()
    try await storage.removeInMemoryObject(forKey: "a")
    #expect(try await storage.entry(forKey: "a").object == 1)
    expectNoBlocking()
    try await storage.removeInMemoryObject(forKey: "a")
    #expect(try await storage.entryIfPresent(forKey: "a")?.object == 1)
    expectNoBlocking()
    try await storage.removeInMemoryObject(forKey: "a")
    #expect(try await storage.retrieve(forKey: "a") == 1)
    expectNoBlocking()
    try await storage.removeInMemoryObject(forKey: "a")
    #expect(try await storage.expiryIfPresent(forKey: "a") == .never)
    expectNoBlocking()
    #expect(try await storage.objectExists(forKey: "a"))
    expectNoBlocking()
    #expect(try await !storage.isExpiredObject(forKey: "a"))
    expectNoBlocking()
    #expect(try await storage.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": 1, "b": 2])
    expectNoBlocking()
    #expect(try await Set(storage.allObjects()) == [1, 2, 3])
    expectNoBlocking()
    #expect(try await Set(storage.keys()) == ["a", "b", "c"])
    expectNoBlocking()
    #expect(try await Set(storage.allKeys()) == ["a", "b", "c"])
    expectNoBlocking()

    #expect(try await storage.update(forKey: "a") { $0 += 1 } == 2)
    expectNoBlocking()
    try await storage.replaceObject(3, forKey: "a", expiry: .never)
    expectNoBlocking()
    #expect(try await storage.setIfAbsent(4, forKey: "d", expiry: nil))
    expectNoBlocking()
    #expect(try await storage.setIfAbsent(5, forKey: "e"))
    expectNoBlocking()
    #expect(try await storage.touch(forKey: "d", expiry: .seconds(1e6)))
    expectNoBlocking()
    #expect(try await storage.compareAndSet(6, ifEqual: 3, forKey: "a"))
    expectNoBlocking()
    #expect(try await storage.increment(forKey: "a", by: 4) == 10)
    expectNoBlocking()
    #expect(try await storage.increment(forKey: "new") == 1)
    expectNoBlocking()
    #expect(try await storage.object(forKey: "f") { 7 } == 7)
    expectNoBlocking()
    let loaded = try await storage.object(forKey: "g") {
      await Task.yield()
      return 8
    }
    #expect(loaded == 8)
    expectNoBlocking()
    try await storage.removeExpiredObjects()
    expectNoBlocking()
    try await storage.removeObject(forKey: "a")
    expectNoBlocking()
    try await storage.removeObjects(forKeys: ["b"])
    expectNoBlocking()
    try await storage.removeAll()
    expectNoBlocking()
    #expect(try blocking { try disk.base.keys() } == [])
  }

  @Test("the same holds in code that is generic over stores")
  func generic() async throws {
    try await callSome(storage)
    expectNoBlocking()
    try await callAny(storage)
    expectNoBlocking()
  }

  private func callSome(_ store: some StorageAware<String, Int> & UpdateableStorage<String, Int>) async throws
  {
    try await store.setObject(1, forKey: "a", expiry: nil)
    try await store.setObjects(["b": 2], expiry: nil)
    try await store.removeInMemoryObject(forKey: "a")
    #expect(try await store.entryIfPresent(forKey: "a")?.object == 1)
    #expect(try await store.update(forKey: "a") { $0 += 1 } == 2)
    #expect(try await store.entries(forKeys: ["a", "b"]).count == 2)
    #expect(try await store.expiryIfPresent(forKey: "a") == .never)
    #expect(try await store.keys().count == 2)
    try await store.removeExpiredObjects()
    try await store.removeObject(forKey: "a")
    try await store.removeObjects(forKeys: ["b"])
    try await store.removeAll()
  }

  private func callAny(_ store: any StorageAware<String, Int> & UpdateableStorage<String, Int>) async throws {
    try await callSome(store)
    try await store.setObject(1, forKey: "a", expiry: nil)
    try await store.removeAll()
  }

  @Test("calls without await, in code that is not asynchronous, return on their own thread as before")
  func withoutAwait() throws {
    try callSync(storage)
    #expect(disk.take().inTasks.count > 5)
  }

  private func callSync(_ store: Storage<String, Int>) throws {
    try store.setObject(1, forKey: "a", expiry: nil)
    try store.setObjects(["b": 2], expiry: nil)
    try store.removeInMemoryObject(forKey: "a")
    #expect(try store.object(forKey: "a") == 1)
    #expect(try store.update(forKey: "a") { $0 += 1 } == 2)
    #expect(try store.entries(forKeys: ["a", "b"]).count == 2)
    try store.removeObjects(forKeys: ["b"])
    try store.removeAll()
    #expect(try store.keys() == [])
  }
}
