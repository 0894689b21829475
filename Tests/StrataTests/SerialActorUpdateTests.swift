import Foundation
import Strata
import TestSupport
import Testing

/// Updates of a serial store by actors, beside calls without `await`, which may block the thread that the actor needs.
@Suite("Updates of a serial store by actors", .serialized, .endsInTime) struct SerialActorUpdateTests {
  typealias Store = SyncStorageAware<String, Int> & SyncUpdateableStorage<String, Int>

  enum Kind: CaseIterable {
    case memory, tiers, nested
  }

  private func store(_ kind: Kind) -> any Store {
    switch kind {
    case .memory: MemoryStorage<String, Int>().serial()
    case .tiers: storage().serial()
    case .nested: storage().serial().combined(with: storage()).serial()
    }
  }

  private func storage() -> Storage<String, Int> {
    Storage(front: MemoryStorage<String, TypeWrapper>(), back: WatchedDisk(), transformer: .codable(Int.self))
  }

  @MainActor
  @Test("a call without await on an actor's thread does not wait for its update", arguments: Kind.allCases)
  func beside(_ kind: Kind) async throws { try await beside(store(kind)) }

  @MainActor
  private func beside(_ store: some Store) async throws {
    try blocking { try store.setObject(0, forKey: "a", expiry: nil) }
    for _ in 0..<20 {
      let (isHeld, isReleased) = (Shared(false), Shared(false))
      async let held = onThread {
        try store.update(forKey: "a") { value in
          isHeld.change { $0 = true }
          blockUntil { isReleased.value }
          value += 1
        }
      }
      await until { isHeld.value }
      let task = Task { @MainActor in
        try await store.update(forKey: "a") { value in
          MainActor.preconditionIsolated()
          value += 1
        }
      }
      // The task runs until it waits for the turn.
      await Task.yield()
      isReleased.change { $0 = true }
      try blocking { try store.setObject(0, forKey: "b", expiry: nil) }
      _ = try await (task.value, held)
    }
    #expect(try await store.object(forKey: "a") == 40)
  }

  /// An actor that several tasks use at the same time, and that therefore may need a thread of the cooperative pool.
  private actor Counter {
    var updates = 0
    var tries = 0

    func count(in store: some Store) async throws {
      try await store.update(forKey: "a") { value in
        tries += 1
        value += 1
      }
      updates += 1
    }
  }

  @Test("updates of actors and calls without await of other tasks all go on", arguments: Kind.allCases)
  func together(_ kind: Kind) async throws { try await together(store(kind)) }

  private func together(_ store: some Store) async throws {
    let counters = [Counter(), Counter()]
    let width = 8 * ProcessInfo.processInfo.activeProcessorCount
    try await store.setObject(0, forKey: "a", expiry: nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<width {
        group.addTask {
          for round in 0..<20 {
            switch (task + round) % 4 {
            case 0, 1: try await counters[task % 2].count(in: store)
            case 2: _ = try blocking { try store.update(forKey: "a") { $0 += 1 } }
            default: try blocking { try store.setObject(task, forKey: "b", expiry: nil) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.object(forKey: "a") == width * 15)
    for counter in counters {
      let (updates, tries) = await (counter.updates, counter.tries)
      #expect(updates == width / 2 * 10)
      // Eight times between turns, and once in its turn.
      #expect(tries <= updates * 9)
    }
  }

  @MainActor
  @Test("an actor's update goes on among threads that write all the time", arguments: Kind.allCases)
  func among(_ kind: Kind) async throws { try await among(store(kind)) }

  @MainActor
  private func among(_ store: some Store) async throws {
    try blocking { try store.setObject(0, forKey: "a", expiry: nil) }
    let isDone = Shared(false)
    async let writes = onThread {
      var writes = 0
      while !isDone.value {
        try store.update(forKey: "a") { $0 += 1 }
        writes += 1
      }
      return writes
    }
    var tries = 0
    for _ in 0..<20 {
      try await store.update(forKey: "a") { value in
        tries += 1
        value += 1
      }
    }
    isDone.change { $0 = true }
    let others = try await writes
    #expect(try await store.object(forKey: "a") == others + 20)
    #expect(tries <= 20 * 9)
  }

  @MainActor
  @Test("a failed or cancelled update of an actor changes nothing", arguments: Kind.allCases)
  func failed(_ kind: Kind) async throws { try await failed(store(kind)) }

  @MainActor
  private func failed(_ store: some Store) async throws {
    try blocking { try store.setObject(1, forKey: "a", expiry: nil) }
    await #expect(throws: CancellationError.self) {
      try await store.update(forKey: "a") { value in
        value = 2
        throw CancellationError()
      }
    }
    await #expect(throws: StorageError.self) { try await store.update(forKey: "absent") { $0 = 2 } }
    let update = Task { @MainActor in
      try await store.update(forKey: "a") { value in
        withUnsafeCurrentTask { $0?.cancel() }
        value = 2
      }
    }
    let result = await update.result
    // Whether the update had begun: its error and the value agree.
    switch (result, try await store.object(forKey: "a")) {
    case (.success(2), 2): break
    case (.failure(let error), 1): #expect(error is CancellationError)
    case (_, let value): Issue.record("the value is \(value) after \(result)")
    }
    #expect(throws: StorageError.self) {
      try store.update(forKey: "a") { _ in try store.setObject(3, forKey: "b", expiry: nil) }
    }
    await #expect(throws: StorageError.self) {
      try await store.update(forKey: "a") { _ in
        try blocking { try store.setObject(3, forKey: "b", expiry: nil) }
      }
    }
    #expect(try await store.objectIfPresent(forKey: "b") == nil)
  }
}
