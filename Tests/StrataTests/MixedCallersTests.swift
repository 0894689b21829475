import Foundation
import Strata
import TestSupport
import Testing

/// Tasks that use one key with and without `await`. Calls without `await` block the threads of the cooperative pool, so
/// that no call with `await` may need one to go on.
@Suite("Callers with and without await", .serialized, .endsInTime) struct MixedCallersTests {
  private func storage() -> Storage<String, Int> {
    Storage(front: MemoryStorage<String, TypeWrapper>(), back: WatchedDisk(), transformer: .codable(Int.self))
  }

  /// Stores whose operations may suspend while they have a key's turn.
  enum Kind: CaseIterable {
    case combined, combinedMemory, pushing, serial, serialMemory, cached, cachedOnFailure, nested
  }

  private func store(_ kind: Kind) -> any SyncStorageAware<String, Int> {
    switch kind {
    case .combined: storage().combined(with: storage())
    case .combinedMemory: MemoryStorage<String, Int>().combined(with: MemoryStorage<String, Int>().serial())
    case .pushing: storage().pushing(to: storage())
    case .serial: storage().serial()
    case .serialMemory: MemoryStorage<String, Int>().serial()
    case .cached: storage().cacheStrategy(.cache)
    case .cachedOnFailure: storage().cacheStrategy(.cacheOnFailure)
    case .nested: storage().serial().combined(with: storage().pushing(to: storage()))
    }
  }

  @Test("tasks that use one key with and without await all go on", arguments: Kind.allCases)
  func together(_ kind: Kind) async throws { try await mixCallers(of: store(kind)) { $0 } }

  @Test("tasks that use one pair with and without await all go on")
  func zipped() async throws { try await mixCallers(of: zip(storage(), storage())) { ($0, $0) } }

  @MainActor
  @Test(
    "a call without await on an actor's thread does not wait for a task of the actor",
    arguments: Kind.allCases)
  func onAnActor(_ kind: Kind) async throws {
    let store = store(kind)
    for round in 0..<20 {
      let task = Task { @MainActor in try await store.setObject(round, forKey: "a", expiry: nil) }
      // The task runs until it suspends.
      await Task.yield()
      try blocking { try store.setObject(-round, forKey: "a", expiry: nil) }
      try await task.value
      #expect(try await store.entryIfPresent(forKey: "a") != nil)
    }
  }

  @Test("loads with and without await all go on", arguments: Kind.allCases, [true, false])
  func loads(_ kind: Kind, isOrdered: Bool) async throws {
    func load(_ store: some SyncStorageAware<String, Int>) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 * ProcessInfo.processInfo.activeProcessorCount {
          group.addTask {
            for round in 0..<20 {
              switch (task + round) % 4 {
              case 0: _ = try await store.object(forKey: "a") { () async in task }
              case 1: _ = try blocking { try store.object(forKey: "a") { task } }
              case 2: try blocking { try store.removeObject(forKey: "a") }
              default: try await store.removeObject(forKey: "a")
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.object(forKey: "b") { () async in 1 } == 1)
    }
    func ordered(_ store: some SyncStorageAware<String, Int>) -> any SyncStorageAware<String, Int> {
      SyncStorage(store)
    }
    let store = isOrdered ? ordered(store(kind)) : store(kind)
    try await load(store)
  }

  @Test(
    "an awaited update gets its turn among threads that update the key all the time",
    arguments: [true, false])
  func starved(isMemory: Bool) async throws {
    let storage =
      isMemory
      ? Storage(TypeWrapperStorage(MemoryStorage<String, TypeWrapper>(), transformer: .codable(Int.self)))
      : self.storage()
    try await storage.setObject(0, forKey: "a")
    let (begun, isDone) = (Shared(0), Shared(false))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await onThread {
            begun.change { $0 += 1 }
            while !isDone.value {
              try storage.update(forKey: "a") { value in
                value += 1
                Thread.sleep(forTimeInterval: 0.001)
              }
            }
          }
        }
      }
      await until { begun.value == 4 }
      var rounds = 0
      for _ in 0..<5 {
        try await storage.update(forKey: "a") { value in
          rounds += 1
          value += 1
        }
      }
      isDone.change { $0 = true }
      try await group.waitForAll()
      // Eight times between turns, and once in its turn.
      #expect(rounds <= 5 * 9)
    }
  }

  @Test(
    "an observer of a part may use the whole without await, whoever has written", arguments: [true, false],
    [true, false])
  func observedPart(isMemory: Bool, isAwaited: Bool) async throws {
    let part =
      isMemory
      ? Storage(TypeWrapperStorage(MemoryStorage<String, TypeWrapper>(), transformer: .codable(Int.self)))
      : storage()
    let whole = part.combined(with: storage())
    let results = Shared<[Result<Void, any Error>]>([])
    let token = part.addStorageObserver(results) { results, _, _ in
      if results.value.isEmpty {
        let result = Result { try blocking { try whole.setObject(2, forKey: "a", expiry: nil) } }
        results.change { $0.append(result) }
      }
    }
    if isAwaited {
      try await whole.setObject(1, forKey: "a", expiry: nil)
    } else {
      try blocking { try whole.setObject(1, forKey: "a", expiry: nil) }
    }
    await until { !results.value.isEmpty }
    #expect(throws: Never.self) { try results.value.first?.get() }
    #expect(try await whole.object(forKey: "a") == 2)
    token.cancel()
  }
}
