import Foundation
import Strata
import StrataTestKit
import TestSupport
import Testing

/// Atomic conditional operations, on chains of every kind.
@Suite("Storage: setIfAbsent, touch, compareAndSet, increment") struct ConditionalStorageTests {
  @Test(
    "setIfAbsent stores once, with its expiry, and again after that has passed", arguments: ChainKind.allCases
  )
  func setIfAbsent(_ kind: ChainKind) async throws {
    let chains = Chains(kind)
    let storage = try chains.open(Int.self)
    #expect(try blocking { try storage.setIfAbsent(1, forKey: "a", expiry: .seconds(60)) })
    #expect(try blocking { try !storage.setIfAbsent(2, forKey: "a") })
    #expect(try await !storage.setIfAbsent(2, forKey: "a"))
    #expect(try await !storage.async.setIfAbsent(2, forKey: "a", expiry: .never))
    #expect(try await storage.object(forKey: "a") == 1)
    let texts = storage.transform(to: String.self)
    #expect(try await !texts.setIfAbsent("other", forKey: "a"), "a value of another type is a value")
    chains.time.advance(by: 60)
    #expect(try await storage.setIfAbsent(3, forKey: "a"))
    #expect(try await storage.object(forKey: "a") == 3)
    #expect(try await storage.expiryIfPresent(forKey: "a") == .never)
    try await storage.removeObject(forKey: "a")
    #expect(try blocking { try storage.setIfAbsent(4, forKey: "a") })
    if kind.outlivesRestart { #expect(try await chains.open(Int.self).object(forKey: "a") == 4) }
  }

  @Test("touch changes the expiry in all tiers, and nothing else", arguments: ChainKind.allCases)
  func touch(_ kind: ChainKind) async throws {
    let chains = Chains(kind)
    let storage = try chains.open(Int.self)
    #expect(try await !storage.touch(forKey: "a", expiry: .never))
    try await storage.setObject(1, forKey: "a", expiry: .seconds(60))
    #expect(try blocking { try storage.touch(forKey: "a", expiry: .seconds(120)) })
    chains.time.advance(by: 90)
    #expect(try await storage.object(forKey: "a") == 1)
    try await storage.removeInMemoryObject(forKey: "a")
    if kind.hasMemoryInFront { #expect(try await storage.object(forKey: "a") == 1) }
    if !kind.outlivesRestart { return }
    #expect(try await storage.async.touch(forKey: "a", expiry: .seconds(10)))
    #expect(try await storage.object(forKey: "a") == 1)
    chains.time.advance(by: 10)
    #expect(try await storage.objectIfPresent(forKey: "a") == nil)
    #expect(try await !storage.touch(forKey: "a", expiry: .never), "an expired entry stays expired")
    #expect(try await storage.objectIfPresent(forKey: "a") == nil)
  }

  @Test("of many callers, with and without await, one stores its value", arguments: ChainKind.allCases)
  func once(_ kind: ChainKind) async throws {
    let storage = try Chains(kind).open(Int.self)
    for round in 0..<20 {
      let stored = try await withThrowingTaskGroup(of: Bool.self) { group in
        for caller in 0..<4 {
          group.addTask { try await storage.setIfAbsent(caller, forKey: "\(round)") }
          group.addTask { try blocking { try storage.setIfAbsent(caller, forKey: "\(round)") } }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(stored == 1)
    }
  }

  @Test(
    "compareAndSet stores only over the expected value, and keeps the expiry", arguments: ChainKind.allCases)
  func compareAndSet(_ kind: ChainKind) async throws {
    let chains = Chains(kind)
    let storage = try chains.open(String.self)
    #expect(try await !storage.compareAndSet("b", ifEqual: "a", forKey: "x"), "nothing is stored")
    try await storage.setObject("a", forKey: "x", expiry: .seconds(60))
    let expiry = try await storage.expiryIfPresent(forKey: "x")
    #expect(try await !storage.compareAndSet("c", ifEqual: "b", forKey: "x"))
    #expect(try blocking { try storage.compareAndSet("b", ifEqual: "a", forKey: "x") })
    #expect(try await storage.async.compareAndSet("c", ifEqual: "b", forKey: "x"))
    #expect(try await storage.object(forKey: "x") == "c")
    #expect(try await storage.expiryIfPresent(forKey: "x") == expiry)
    chains.time.advance(by: 60)
    #expect(try await !storage.compareAndSet("d", ifEqual: "c", forKey: "x"), "it has expired")
  }

  @Test("increment counts each call, starting from an absent value; an overflow changes nothing")
  func increment() async throws {
    let chains = Chains(.disk)
    let storage = try chains.open(Int8.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { try await storage.increment(forKey: "n") }
        group.addTask { try blocking { _ = try storage.increment(forKey: "n") } }
      }
      try await group.waitForAll()
    }
    #expect(try await storage.object(forKey: "n") == 100)
    #expect(try await storage.async.increment(forKey: "n", by: -10) == 90)
    await #expect(throws: StorageError.overflow) { try await storage.increment(forKey: "n", by: 100) }
    #expect(try await storage.object(forKey: "n") == 90)
  }

  @Test("memory alone is atomic too; a call from inside an update of the key throws")
  func memory() throws {
    let memory = MemoryStorage<String, Int>()
    #expect(try memory.setIfAbsent(1, forKey: "a"))
    #expect(try !memory.setIfAbsent(2, forKey: "a"))
    #expect(try memory.increment(forKey: "a", by: 4) == 5)
    #expect(throws: StorageError.deadlock) {
      try memory.update(forKey: "a") { _ in _ = try memory.setIfAbsent(1, forKey: "a") }
    }
    #expect(throws: StorageError.deadlock) {
      try memory.update(forKey: "a") { _ in _ = try memory.touch(forKey: "a", expiry: .never) }
    }
  }

  @Test("observers are called exactly for the values that setIfAbsent has stored")
  func observers() async throws {
    let storage = try Chains(.disk).open(Int.self)
    var changes = storage.changes.makeAsyncIterator()
    var ofKey = storage.changes(forKey: "a").makeAsyncIterator()
    #expect(try await storage.setIfAbsent(1, forKey: "a"))
    #expect(try await !storage.setIfAbsent(2, forKey: "a"))
    #expect(try await storage.touch(forKey: "a", expiry: .never))
    try await storage.removeObject(forKey: "a")
    #expect(await changes.next() == .add(key: "a"))
    #expect(await changes.next() == .remove(key: "a"))
    #expect(await ofKey.next() == .edit(before: nil, after: 1))
    #expect(await ofKey.next() == .remove)
  }

  @Test("a shared back decides atomically for all its writers")
  func sharedBack() async throws {
    // Two chains over two stores of the same data, like two processes.
    let back = MemoryStorage<String, Data>()
    func chain() -> Storage<String, Int> {
      Storage(
        front: MemoryStorage<String, TypeWrapper>(), back: NoIdentity(base: back),
        transformer: .codable(Int.self))
    }
    let (one, other) = (chain(), chain())
    #expect(try await one.setIfAbsent(1, forKey: "a", expiry: .seconds(1000)))
    #expect(try await !other.setIfAbsent(2, forKey: "a"))
    #expect(try await other.object(forKey: "a") == 1)
    try await one.removeObject(forKey: "a")
    #expect(try await one.setIfAbsent(3, forKey: "a"), "whatever the other holds in memory")
    let many = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<100 {
        group.addTask { try await (index % 2 == 0 ? one : other).setIfAbsent(index, forKey: "b") }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(many == 1)
  }
}

/// A store without an identity, so that two of them are not recognised as the same, as in different processes.
private struct NoIdentity: SyncSimpleConditionalStorage {
  let base: MemoryStorage<String, Data>

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
  func setIfAbsent(_ object: Data, forKey key: String, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object, forKey: key, expiry: expiry)
  }
  func touch(forKey key: String, expiry: Expiry) throws -> Bool {
    try base.touch(forKey: key, expiry: expiry)
  }
}
