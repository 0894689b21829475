import Strata
import TestSupport
import Testing

/// Tasks that use one key with and without `await`. Calls without `await` block the threads of the cooperative pool, so
/// that no call with `await` may need one to go on.
@Suite("Callers with and without await", .serialized, .endsInTime) struct MixedCallersTests {
  private func storage() -> Storage<String, Int> {
    Storage(front: MemoryStorage<String, TypeWrapper>(), back: WatchedDisk(), transformer: .codable(Int.self))
  }

  /// Returns stores whose operations may suspend while they have a key's turn.
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
}
