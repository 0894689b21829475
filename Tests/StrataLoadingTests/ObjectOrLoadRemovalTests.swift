import Foundation
import Strata
import TestSupport
import Testing

@Suite("object(forKey:orLoad:) and removals", .timeLimit(.minutes(5)), .endsInTime)
struct ObjectOrLoadRemovalTests {
  @Test("after a removal during a load nothing is stored, and later callers load again", arguments: 0..<4)
  func removed(_ way: Int) async throws {
    let storage = ObjectOrLoadTests.storage()
    let gate = Gate(holding: 1)
    let first = Task {
      try await storage.object(forKey: "a") {
        await gate.pass()
        return 1
      }
    }
    await gate.arrivals(1)
    switch way {
    case 0: try await storage.removeObject(forKey: "a")
    case 1: try blocking { try storage.removeObjects(forKeys: ["a"]) }
    case 2: try await storage.async.removeAll()
    default:
      await withCheckedContinuation { done in storage.async.removeObject(forKey: "a") { _ in done.resume() } }
    }
    let second = Task { try await storage.object(forKey: "a") { 2 } }
    #expect(try await second.value == 2)
    gate.open()
    #expect(try await first.value == 1)
    #expect(try await storage.object(forKey: "a") == 2)
  }

  @Test("a load that ends after a removal stores nothing")
  func removedOnly() async throws {
    let storage = ObjectOrLoadTests.storage()
    let loaded = try await storage.object(forKey: "a") {
      try await storage.removeObject(forKey: "a")
      return 1
    }
    #expect(loaded == 1)
    #expect(try await !storage.objectExists(forKey: "a"))
  }

  enum Removal: CaseIterable {
    case one, many, all, afterWrite
  }

  @Test(
    "a removal or write through the protocol during a load takes precedence over its result",
    arguments: ObjectOrLoadTests.stores.indices.dropLast(), Removal.allCases)
  func removedThroughTheProtocol(_ index: Int, _ removal: Removal) throws {
    let store = ObjectOrLoadTests.stores[index]()
    try expectRemovalWins(over: store, through: store, removal)
    #expect(
      try load(store, "b") {
        try store.setObject(5, forKey: "b")
        return 1
      } == 1)
    #expect(try store.object(forKey: "b") == 5)
  }

  @Test("so does a removal through a storage over the same tiers", arguments: Removal.allCases)
  func removedAbove(_ removal: Removal) throws {
    let memory = MemoryStorage<String, TypeWrapper>()
    let tiers = TypeWrapperStorage(
      HybridStorage(front: memory, back: MemoryStorage<String, Data>()), transformer: .codable(Int.self))
    try expectRemovalWins(over: tiers, through: Storage(tiers), removal)
  }

  private func expectRemovalWins(
    over store: some SyncStorageAware<String, Int>, through other: some SyncStorageAware<String, Int>,
    _ removal: Removal
  ) throws {
    #expect(
      try load(store, "a") {
        switch removal {
        case .one: try other.removeObject(forKey: "a")
        case .many: try other.removeObjects(forKeys: ["b", "a"])
        case .all: try other.removeAll()
        case .afterWrite:
          try other.setObject(5, forKey: "a")
          try other.removeObject(forKey: "a")
        }
        return 1
      } == 1)
    #expect(try store.objectIfPresent(forKey: "a") == nil)
  }

  @Test(
    "no caller joins a load through the protocol after its key was removed",
    arguments: ObjectOrLoadTests.stores.indices.dropLast())
  func notJoined(_ index: Int) async throws {
    let store = ObjectOrLoadTests.stores[index]()
    let gate = Gate(holding: 1)
    let first = Task { try await loadLater(store, "a", 1, gate) }
    await gate.arrivals(1)
    try blocking { try store.removeObject(forKey: "a") }
    #expect(try await loadLater(store, "a", 2, Gate(holding: 0)) == 2)
    gate.open()
    #expect(try await first.value == 1)
    #expect(try blocking { try store.object(forKey: "a") } == 2)
  }

  private func loadLater(
    _ store: some SyncStorageAware<String, Int>, _ key: String, _ value: Int, _ gate: Gate
  ) async throws -> Int {
    try await store.object(forKey: key) { () async throws -> Int in
      await gate.pass()
      return value
    }
  }
}
