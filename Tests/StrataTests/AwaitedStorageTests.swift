import Dispatch
import Foundation
import Strata
import TestSupport
import Testing

/// A byte store that may block, and records whether it is called on a caller's thread.
private final class WatchedDisk: SyncStorageAware, SyncUpdateableStorage {
  let base = DictionaryStorage<String, Data>()
  private let calls = Shared(0)
  private let blockingCalls = Shared<[String]>([])

  /// Returns the number of calls since the last time, and the calls that blocked a task.
  func take() -> (count: Int, inTasks: [String]) {
    let count = calls.change { count in
      defer { count = 0 }
      return count
    }
    let names = blockingCalls.change { names in
      defer { names = [] }
      return names
    }
    return (count, names)
  }

  private func note(_ name: String = #function) {
    calls.change { $0 += 1 }
    // The library's own threads run no tasks, so a call inside a task blocks its caller's thread.
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    if isInTask { blockingCalls.change { $0.append(name) } }
  }

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    note()
    return try base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    note()
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws {
    note()
    try base.removeObject(forKey: key)
  }
  func removeAll() throws {
    note()
    try base.removeAll()
  }
  func removeExpiredObjects() throws {
    note()
    try base.removeExpiredObjects()
  }
  func keys() throws -> [String] {
    note()
    return try base.keys()
  }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) throws -> Data {
    note()
    var value = try base.object(forKey: key)
    try modify(&value)
    try base.setObject(value, forKey: key, expiry: nil)
    return value
  }
}

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

  @Test("every function of the contract")
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

  @Test("in code for any store, too")
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

  @Test("without await, in code that is not asynchronous, calls answer on their own thread as before")
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

/// `update` with `await` runs its closure in the caller's isolation, so that it may use the caller's state.
@MainActor
@Suite("Updates with await", .timeLimit(.minutes(10))) struct AwaitedUpdateTests {
  private func storage() async throws -> Storage<String, Int> {
    let storage = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: WatchedDisk(), transformer: .codable(Int.self))
    try await storage.setObjects(["a": 1, "b": 10], expiry: nil)
    return storage
  }

  @Test("the closure may use what is not sendable, and is called on the caller's actor")
  func onTheActor() async throws {
    let storage = try await storage()
    var seen: [Int] = []
    try await storage.update(forKey: "a") { value in
      MainActor.preconditionIsolated()
      seen.append(value)
      value += 1
    }
    let store: any UpdateableStorage<String, Int> = storage.async
    try await store.update(forKey: "a") { value in
      MainActor.preconditionIsolated()
      seen.append(value)
      value += 1
    }
    #expect(seen == [1, 2])
    #expect(try await storage.object(forKey: "a") == 3)
  }

  @Test("what throws changes nothing, and lets go of the key")
  func failures() async throws {
    let storage = try await storage()
    await #expect(throws: Failure.first) {
      try await storage.update(forKey: "a") { value in
        value = 99
        throw Failure.first
      }
    }
    await #expect(throws: StorageError.notFound) { try await storage.update(forKey: "none") { $0 += 1 } }
    #expect(try await storage.object(forKey: "a") == 1)
    #expect(try await storage.update(forKey: "a") { $0 += 1 } == 2)
  }

  @Test("inside, other keys may be used, and to write the own key throws")
  func insideAnUpdate() async throws {
    let storage = try await storage()
    let sum = try await storage.update(forKey: "a") { value in
      value += try storage.update(forKey: "b") { $0 += 1 } + storage.object(forKey: "a")
    }
    #expect(sum == 1 + 11 + 1)
    await #expect(throws: StorageError.deadlock) {
      try await storage.update(forKey: "a") { _ in try storage.removeObject(forKey: "a") }
    }
  }

  @Test("updates from many tasks and threads are one after the other, and each is told")
  func together() async throws {
    let storage = try await storage()
    let heard = Shared(0)
    let token = storage.addStorageObserver(heard) { heard, _, _ in heard.change { $0 += 1 } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { try await storage.update(forKey: "a") { $0 += 1 } }
        group.addTask { try await storage.async.update(forKey: "a") { $0 += 1 } }
        group.addTask { try blocking { _ = try storage.update(forKey: "a") { $0 += 1 } } }
      }
      try await group.waitForAll()
    }
    #expect(try await storage.object(forKey: "a") == 151)
    while heard.value < 150 { await Task.yield() }
    token.cancel()
  }

  @Test("a task that is cancelled while it waits for its turn changes nothing")
  func cancellation() async throws {
    let storage = try await storage()
    let (goOn, hasTurn) = (DispatchSemaphore(value: 0), Shared(false))
    let first = Task {
      try await storage.async.update(forKey: "a") { value in
        hasTurn.change { $0 = true }
        goOn.wait()
        value += 1
      }
    }
    while !hasTurn.value { await Task.yield() }
    let second = Task { @MainActor in try await storage.update(forKey: "a") { $0 = 99 } }
    second.cancel()
    await #expect(throws: CancellationError.self) { _ = try await second.value }
    goOn.signal()
    #expect(try await first.value == 2)
    #expect(try await storage.object(forKey: "a") == 2)
  }
}
