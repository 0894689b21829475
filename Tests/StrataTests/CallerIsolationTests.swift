import Strata
import TestSupport
import Testing

/// Closures that are not `Sendable` belong to the caller's actor: on another thread, they would race with it.
@MainActor
@Suite("Closures in the caller's isolation", .endsInTime) struct CallerIsolationTests {
  private func storage() -> Storage<String, Int> {
    Storage(front: MemoryStorage<String, TypeWrapper>(), back: WatchedDisk(), transformer: .codable(Int.self))
  }

  enum Kind: CaseIterable { case serial, serialMemory, serialTasks, nested }

  private func store(_ kind: Kind) -> any UpdateableStorage<String, Int> & StorageAware<String, Int> {
    switch kind {
    case .serial: storage().serial()
    case .serialMemory: MemoryStorage<String, Int>().serial()
    case .serialTasks: storage().async.serial()
    case .nested: storage().serial().combined(with: storage()).serial()
    }
  }

  @Test("the closure of an update runs on the caller's actor", arguments: Kind.allCases)
  func updates(_ kind: Kind) async throws { try await update(store(kind)) }

  private func update(_ store: some UpdateableStorage<String, Int> & StorageAware<String, Int>) async throws {
    try await store.setObject(1, forKey: "a", expiry: nil)
    var seen: [Int] = []
    for _ in 0..<3 {
      try await store.update(forKey: "a") { value in
        MainActor.preconditionIsolated()
        seen.append(value)
        value += 1
      }
    }
    #expect(seen == [1, 2, 3])
    #expect(try await store.object(forKey: "a") == 4)
  }

  @Test("a loader without await runs on the caller's actor", arguments: Kind.allCases)
  func loads(_ kind: Kind) async throws {
    try await load(store(kind))
    try await load(storage())
    try await load(MemoryStorage<String, Int>())
  }

  private func load(_ store: some StorageAware<String, Int>) async throws {
    var count = 0
    let loader: () throws -> Int = {
      MainActor.preconditionIsolated()
      count += 1
      return count
    }
    #expect(try await store.object(forKey: "a") { try loader() } == 1)
    #expect(try await store.object(forKey: "a") { try loader() } == 1)
  }
}
