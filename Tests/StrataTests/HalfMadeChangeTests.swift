import Foundation
import Strata
import TestSupport
import Testing

/// A store that behaves like a server: it refuses cancelled tasks, and cancels the task of a change while it makes it.
private struct Cancelling: SimpleStorage {
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
    let front = RefusingFront()
    let back = DictionaryStorage<String, Data>()
    let storage = Storage(front: front, back: back, transformer: .codable(Int.self))
    let log = ChangeLog(storage)
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
      front.refuseNext()
      await #expect(throws: Failure.first, "change \(index)") { try await change() }
      await log.receives(2)
    }
    #expect(try await storage.objectIfPresent(forKey: "a") == nil)

    try await mode.set(storage, "a", 1)
    await log.receives(2)
    back.fail(.write, .remove)
    for (index, change) in changes(20).enumerated() where index != 5 {
      await #expect(throws: Failure.first, "change \(index)") { try await change() }
    }
    #expect(try await storage.object(forKey: "a") == 1)
    back.work()
    try await mode.set(storage, "a", 2)
    // The calls are made in order: none of a refused change came before.
    await log.receives(2)
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
