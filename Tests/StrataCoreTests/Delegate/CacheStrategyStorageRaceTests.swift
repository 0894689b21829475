import Dispatch
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// A way to change the keys "a" and "b".
enum KeyedChange: CaseIterable {
  case set, setMany, remove, removeMany, removeAll

  func make(in link: some SyncStorageAware<String, Int>, _ value: Int = 2) throws {
    switch self {
    case .set: for key in ["a", "b"] { try link.setObject(value, forKey: key, expiry: nil) }
    case .setMany: try link.setObjects(["a": value, "b": value], expiry: nil)
    case .remove: for key in ["a", "b"] { try link.removeObject(forKey: key) }
    case .removeMany: try link.removeObjects(forKeys: ["a", "b"])
    case .removeAll: try link.removeAll()
    }
  }

  func make(in link: some StorageAware<String, Int>, _ value: Int = 2) async throws {
    switch self {
    case .set: for key in ["a", "b"] { try await link.setObject(value, forKey: key, expiry: nil) }
    case .setMany: try await link.setObjects(["a": value, "b": value], expiry: nil)
    case .remove: for key in ["a", "b"] { try await link.removeObject(forKey: key) }
    case .removeMany: try await link.removeObjects(forKeys: ["a", "b"])
    case .removeAll: try await link.removeAll()
    }
  }
}

@Suite("CacheStrategyStorage: concurrent operations")
struct CacheStrategyStorageRaceTests {
  typealias Store = DictionaryStorage<String, Int>

  @Test(
    "a read during which its key was changed does not cache the old value", arguments: KeyedChange.allCases,
    Half.allCases)
  func overtaken(_ change: KeyedChange, _ half: Half) async throws {
    let store = Store(["a": 1, "b": 1, "c": 1])
    let cache = Store()
    let link = CacheStrategyStorage(store, cache: cache, strategy: .cacheOnFailure)
    store.afterNextRead { try change.make(in: link) }
    let reader: any StorageAware<String, Int> = half == .sync ? SyncFace(base: link) : link
    let saved = change == .set || change == .setMany ? ["a": 2, "b": 2] : [:]
    #expect(try await reader.entries(forKeys: ["a"]).mapValues(\.object) == ["a": 1])
    #expect(cache.objects == saved)
    store.afterNextRead { try change.make(in: link) }
    _ = try await reader.entryIfPresent(forKey: "b")
    #expect(cache.objects == saved)
  }

  @Test("a read during which other keys were changed caches its value", arguments: Half.allCases)
  func otherKeys(_ half: Half) async throws {
    let store = Store(["a": 1, "c": 3])
    let cache = Store()
    let link = CacheStrategyStorage(store, cache: cache, strategy: .cacheOnFailure)
    store.afterNextRead { try link.setObjects(["a": 2, "b": 2], expiry: nil) }
    let reader: any StorageAware<String, Int> = half == .sync ? SyncFace(base: link) : link
    _ = try await reader.entryIfPresent(forKey: "c")
    #expect(cache.objects == ["a": 2, "b": 2, "c": 3])
  }

  @Test("tasks: cache and store have the same values in the end", arguments: strategies)
  func tasks(_ strategy: CacheStrategy) async throws {
    let store = Store()
    let cache = Store()
    let link = CacheStrategyStorage(SlowStorage(store), cache: cache, strategy: strategy)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        group.addTask {
          _ = try await link.entries(forKeys: ["a", "b"])
          try await KeyedChange.allCases[number % 5].make(in: link, number)
          _ = try await link.entryIfPresent(forKey: "a")
        }
      }
      try await group.waitForAll()
    }
    expectAgreement(store, cache, strategy)
  }

  @Test("threads: cache and store have the same values in the end", arguments: strategies)
  func threads(_ strategy: CacheStrategy) {
    // Many short rounds: the effect of a race is only visible if no later operation hides it.
    for round in 0..<Soak.rounds(250, soak: 10_000) {
      let store = Store(yields: true)
      let cache = Store(yields: true)
      let link = CacheStrategyStorage(store, cache: cache, strategy: strategy)
      let failures = Locked(0)
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        do {
          _ = try link.entryIfPresent(forKey: "a")
          try KeyedChange.allCases[(number + round) % 5].make(in: link, number)
          _ = try link.entries(forKeys: ["a", "b"])
        } catch {
          failures.withLock { $0 += 1 }
        }
      }
      #expect(failures.withLock { $0 } == 0)
      expectAgreement(store, cache, strategy)
    }
  }

  private func expectAgreement(_ store: Store, _ cache: Store, _ strategy: CacheStrategy) {
    switch strategy {
    case .noCache: #expect(cache.objects == [:])
    case .cache: #expect(cache.objects == store.objects)
    case .cacheOnFailure: for (key, value) in cache.objects { #expect(store.objects[key] == value) }
    }
  }
}
