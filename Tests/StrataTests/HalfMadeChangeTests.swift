import Foundation
import Strata
import TestSupport
import Testing

/// An observer of a store and of one of its keys, which counts the calls that it receives.
private final class Ear: Sendable {
  private let heard = Locked<[String]>([])

  init(_ storage: Storage<String, Int>) {
    storage.addStorageObserver(self) { ear, _, change in ear.note("\(change)") }
    storage.addObserver(self, forKey: "a") { ear, _, change in ear.note("\(change)") }
  }

  private func note(_ text: String) { heard.withLock { $0.append(text) } }

  /// Waits until this number of calls has been made. Fails the test if there were more.
  func receives(_ count: Int) async {
    await until { heard.withLock { $0.count >= count } }
    let all = heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
    #expect(all.count == count, "\(all)")
  }
}

/// A front of which the next change fails without an effect.
private final class FailingFront: SyncStorageAware {
  private let base = DictionaryStorage<String, TypeWrapper>()
  private let isFailing = Locked(false)

  func failOnce() { isFailing.withLock { $0 = true } }

  private func change(_ body: () throws -> Void) throws {
    let isFailing = isFailing.withLock { isFailing in
      defer { isFailing = false }
      return isFailing
    }
    if isFailing { throw Failure.first }
    try body()
  }

  func entryIfPresent(forKey key: String) throws -> Entry<TypeWrapper>? {
    try base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: TypeWrapper, forKey key: String, expiry: Expiry?) throws {
    try change { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) throws { try change { try base.removeObject(forKey: key) } }
  func removeAll() throws { try change { try base.removeAll() } }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}

/// A store that behaves like a server: it refuses cancelled tasks, and cancels the task of a change while it makes it.
private struct Cancelling: StorageAware {
  private let base = DictionaryStorage<String, Data>()

  private func change(_ make: () throws -> Void) throws {
    try Task.checkCancellation()
    try make()
    withUnsafeCurrentTask { $0?.cancel() }
    try Task.checkCancellation()
  }

  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    try Task.checkCancellation()
    return try blocking { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try change { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) async throws { try change { try base.removeObject(forKey: key) } }
  func removeAll() async throws { try change { try base.removeAll() } }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { try blocking { try base.keys() } }
}

@Suite("A change that fails after the last tier has made it") struct HalfMadeChangeTests {
  @Test("is received by observers; a change that the last tier refuses is not", arguments: Mode.allCases)
  func observers(mode: Mode) async throws {
    let front = FailingFront()
    let back = DictionaryStorage<String, Data>()
    let storage = Storage(front: front, back: back, transformer: .codable(Int.self))
    let ear = Ear(storage)
    func changes(_ value: Int) -> [@Sendable () async throws -> Void] {
      [
        { try await mode.set(storage, "a", value) },
        { try await storage.setObjects(["a": value + 1], expiry: nil) },
        { try blocking { try storage.setObjects(["a": value + 2], expiry: nil) } },
        { try await mode.update(storage, "a") { $0 += 3 } },
        { try await mode.remove(storage, "a") },
        { _ = try await storage.setIfAbsent(value + 4, forKey: "a") },
        { try await storage.removeObjects(forKeys: ["a"]) },
      ]
    }
    for (index, change) in changes(10).enumerated() {
      front.failOnce()
      await #expect(throws: Failure.first, "change \(index)") { try await change() }
      await ear.receives(2)
    }
    #expect(try await storage.objectIfPresent(forKey: "a") == nil)

    try await mode.set(storage, "a", 1)
    await ear.receives(2)
    back.fail(.write, .remove)
    for (index, change) in changes(20).enumerated() where index != 5 {
      await #expect(throws: Failure.first, "change \(index)") { try await change() }
    }
    #expect(try await storage.object(forKey: "a") == 1)
    back.work()
    try await mode.set(storage, "a", 2)
    // The calls are made in order: none of a refused change came before.
    await ear.receives(2)
  }

  @Test("is received by observers also if it fails because its task is cancelled")
  func cancelled() async throws {
    func changes() async -> AsyncStream<StorageChange<String>> {
      let storage = AsyncStorage<String, Int>(back: Cancelling(), transformer: .codable(Int.self))
      let heard = storage.changes
      let changes: [@Sendable () async throws -> Void] = [
        { try await storage.setObject(1, forKey: "a") },
        { try await storage.setObjects(["a": 2], expiry: nil) },
        { try await storage.update(forKey: "a") { $0 += 3 } },
        { try await storage.removeObject(forKey: "a") },
        { _ = try await storage.setIfAbsent(4, forKey: "a") },
        { try await storage.removeObjects(forKeys: ["a"]) },
      ]
      for (index, change) in changes.enumerated() {
        await #expect(throws: CancellationError.self, "change \(index)") {
          try await Task { try await change() }.value
        }
      }
      return heard
    }
    // The stream ends with the store.
    let heard = await changes().reduce(into: []) { $0.append($1) }
    let add = StorageChange.add(key: "a")
    #expect(heard == [add, add, add, .remove(key: "a"), add, .remove(key: "a")])
  }
}
