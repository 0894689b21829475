import Dispatch
import Foundation
import Strata
import TestSupport
import Testing

/// `update` with `await` runs its closure in the caller's isolation, so that it may use the caller's state.
@MainActor
@Suite("Updates with await", .timeLimit(.minutes(10))) struct AwaitedUpdateTests {
  private func storage() async throws -> Storage<String, Int> {
    let storage = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: WatchedDisk(), transformer: .codable(Int.self))
    try await storage.setObjects(["a": 1, "b": 10], expiry: nil)
    return storage
  }

  @Test("the closure may capture values that are not Sendable, and runs on the caller's actor")
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

  @Test("a closure that throws changes nothing, and the key can be used again")
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

  @Test("the closure may use other keys; writing its own key throws")
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

  @Test("updates of many tasks and threads run one after the other, and each is observed")
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
