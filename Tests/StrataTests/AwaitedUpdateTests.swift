import Foundation
import Strata
import TestSupport
import Testing

/// `update` with `await` runs its closure in the caller's isolation, so that it may use the caller's state.
@MainActor
@Suite("Updates with await", .timeLimit(.minutes(10))) struct AwaitedUpdateTests {
  /// The closure runs between two turns over a disk, and in one turn over memory alone.
  enum Tiers: CaseIterable { case memory, memoryAndDisk }

  private func storage(_ tiers: Tiers) async throws -> Storage<String, Int> {
    let storage =
      switch tiers {
      case .memory:
        Storage(TypeWrapperStorage(MemoryStorage<String, TypeWrapper>(), transformer: .codable(Int.self)))
      case .memoryAndDisk:
        Storage(
          front: MemoryStorage<String, TypeWrapper>(), back: WatchedDisk(), transformer: .codable(Int.self))
      }
    try await storage.setObjects(["a": 1, "b": 10], expiry: nil)
    return storage
  }

  @Test(
    "the closure may capture values that are not Sendable, and runs on the caller's actor",
    arguments: Tiers.allCases)
  func onTheActor(_ tiers: Tiers) async throws {
    let storage = try await storage(tiers)
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

  @Test("a closure that throws changes nothing, and the key can be used again", arguments: Tiers.allCases)
  func failures(_ tiers: Tiers) async throws {
    let storage = try await storage(tiers)
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

  @Test("the closure may use other keys; writing its own key throws", arguments: Tiers.allCases)
  func insideAnUpdate(_ tiers: Tiers) async throws {
    let storage = try await storage(tiers)
    let sum = try await storage.update(forKey: "a") { value in
      value += try storage.update(forKey: "b") { $0 += 1 } + storage.object(forKey: "a")
    }
    #expect(sum == 1 + 11 + 1)
    await #expect(throws: StorageError.deadlock) {
      try await storage.update(forKey: "a") { _ in try storage.removeObject(forKey: "a") }
    }
  }

  @Test(
    "updates of many tasks and threads run one after the other, and each is observed",
    arguments: Tiers.allCases)
  func together(_ tiers: Tiers) async throws {
    let storage = try await storage(tiers)
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
    await until { heard.value >= 150 }
    token.cancel()
  }

  @Test("a task that is cancelled while it waits for its turn changes nothing", arguments: Tiers.allCases)
  func cancellation(_ tiers: Tiers) async throws {
    let storage = try await storage(tiers)
    let gate = ThreadGate()
    async let first = onThread {
      try storage.update(forKey: "a") { value in
        gate.pass()
        value += 1
      }
    }
    await gate.arrival()
    let second = Task { @MainActor in try await storage.update(forKey: "a") { $0 = 99 } }
    second.cancel()
    await #expect(throws: CancellationError.self) { _ = try await second.value }
    gate.open()
    #expect(try await first == 2)
    #expect(try await storage.object(forKey: "a") == 2)
  }
}
