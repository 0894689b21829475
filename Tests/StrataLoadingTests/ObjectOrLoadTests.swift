import Dispatch
import Foundation
import Strata
import TestSupport
import Testing

@Suite("object(forKey:orLoad:) on every store", .timeLimit(.minutes(5)), .endsInTime)
struct ObjectOrLoadTests {
  struct Broken: Error {}

  static func storage() -> Storage<String, Int> {
    Storage(front: MemoryStorage(), back: MemoryStorage<String, Data>(), transformer: .codable(Int.self))
  }

  static let stores: [@Sendable () -> any SyncStorageAware<String, Int>] = [
    { storage() }, { MemoryStorage<String, Int>() }, { MemoryStorage<String, Int>().serial() },
    { DictionaryStorage<String, Int>().serial() }, { SyncStorage(MemoryStorage<String, Int>()) },
    { DictionaryStorage<String, Int>() },
  ]

  @Test(
    "a stored value is not loaded; a missing one is loaded once, and stored with its expiry",
    arguments: stores.indices
  )
  func basics(_ index: Int) throws {
    let store = Self.stores[index]()
    #expect(try load(store, "a", expiry: .seconds(1000)) { 1 } == 1)
    #expect(try load(store, "a") { throw Broken() } == 1)
    #expect(try store.expiryIfPresent(forKey: "a") != .never)
    #expect(throws: Broken.self) { try load(store, "b") { throw Broken() } }
    #expect(try load(store, "b") { 2 } == 2)
  }

  /// A store that counts how often its coordinator is asked for.
  private struct Coordinated: SyncSimpleStorage {
    let base = DictionaryStorage<String, Int>()
    let asked = Shared(0)

    var coordinator: StorageCoordinator<String>? {
      asked.change { $0 += 1 }
      return base.coordinator
    }

    func entryIfPresent(forKey key: String) throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
    func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
      try base.setObject(object, forKey: key, expiry: expiry)
    }
    func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
    func removeAll() throws { try base.removeAll() }
    func removeExpiredObjects() throws { try base.removeExpiredObjects() }
    func keys() throws -> [String] { try base.keys() }
  }

  @Test(
    "a hit reads a store once, without its coordinator; a load too, before it stores",
    arguments: [false, true])
  func reads(isAwaited: Bool) async throws {
    let store = Coordinated()
    for (asked, reads) in [(1, 2), (1, 3)] {
      if isAwaited {
        #expect(try await store.object(forKey: "a") { () async in 1 } == 1)
      } else {
        #expect(try blocking { try load(store, "a") { 1 } } == 1)
      }
      // The write of a loaded value reads once more, so as not to replace another value.
      #expect(store.asked.value == asked && store.base.calls(.read) == reads)
    }
  }

  @Test("concurrent misses of threads share one load", arguments: stores.indices)
  func threads(_ index: Int) throws {
    let store = Self.stores[index]()
    let loads = Shared(0)
    DispatchQueue.concurrentPerform(iterations: 200) { _ in
      let object = try? load(store, "a") {
        loads.change {
          $0 += 1; return $0
        }
      }
      #expect(object == 1)
    }
    #expect(loads.value == 1)
  }

  @Test("tasks and threads share a load, through all views of one chain")
  func mixed() async throws {
    let storage = Self.storage()
    let view = storage.transformData().transform(to: .codable(Int.self))
    let gate = Gate(holding: 1)
    let loads = Shared(0)
    let tasks = (0..<20).map { index in
      Task {
        try await (index.isMultiple(of: 2) ? storage : view).object(forKey: "a") {
          await gate.pass()
          return loads.change {
            $0 += 1; return $0
          }
        }
      }
    }
    await gate.arrivals(1)
    let threads = (0..<4).map { _ in
      Task {
        try await onThread {
          try storage.object(forKey: "a") {
            loads.change {
              $0 += 1; return $0
            }
          }
        }
      }
    }
    gate.open()
    for task in tasks + threads { #expect(try await task.value == 1) }
    #expect(loads.value == 1)
  }

  @Test("a thread that runs a task loads by itself instead of waiting for a load that needs such a thread")
  func neverHangs() async throws {
    let storage = Self.storage()
    let gate = Gate(holding: 1)
    let task = Task {
      try await storage.object(forKey: "a") {
        await gate.pass()
        return 1
      }
    }
    await gate.arrivals(1)
    #expect(try blocking { try storage.object(forKey: "a") { 2 } } == 2)
    gate.open()
    #expect(try await task.value == 1)
    #expect(
      try await storage.object(forKey: "a") == 1, "the load that others may wait for is the one that stores")
  }

  @Test("an error reaches all waiting callers, but the first caller's cancellation does not")
  func failures() async throws {
    let storage = Self.storage()
    let gate = Gate(holding: 1)
    let first = Task {
      try await storage.object(forKey: "a") {
        await gate.pass()
        try Task.checkCancellation()
        return 1
      }
    }
    await gate.arrivals(1)
    let second = Task { try await storage.object(forKey: "a") { 2 } }
    await Task.yield()
    first.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(try await second.value == 2)
  }

  @Test("a value that is written during a load stays")
  func written() async throws {
    let storage = Self.storage()
    let loaded = try await storage.object(forKey: "a") {
      try await storage.setObject(5, forKey: "a")
      return 1
    }
    #expect(loaded == 1)
    #expect(try await storage.object(forKey: "a") == 5)
  }

  @Test("loading a key inside its own load throws; another key can be loaded")
  func nested() async throws {
    let storage = Self.storage()
    #expect(throws: StorageError.deadlock) {
      try blocking { try storage.object(forKey: "a") { try storage.object(forKey: "a") { 1 } } }
    }
    await #expect(throws: StorageError.deadlock) {
      try await storage.object(forKey: "a") { try await storage.object(forKey: "a") { 1 } }
    }
    #expect(try await storage.object(forKey: "a") { try await storage.object(forKey: "b") { 1 } + 1 } == 2)
  }

  @Test("inside an update of the key, a thread does not wait for a load that needs the key")
  func insideUpdate() async throws {
    let storage = Self.storage()
    try await storage.setObject(0, forKey: "u")
    let gate = Gate(holding: 1)
    let task = Task {
      try await storage.object(forKey: "a") {
        await gate.pass()
        return 1
      }
    }
    await gate.arrivals(1)
    try await onThread {
      _ = try storage.update(forKey: "u") { $0 = try storage.object(forKey: "a") { 7 } }
    }
    gate.open()
    _ = try await task.value
    #expect(try await storage.object(forKey: "u") == 7)
  }
}

/// Through the protocol, as code for any store calls it.
func load(
  _ store: some SyncStorageAware<String, Int>, _ key: String, expiry: Expiry? = nil,
  _ load: () throws -> Int
) throws -> Int {
  try store.object(forKey: key, expiry: expiry, orLoad: load)
}
