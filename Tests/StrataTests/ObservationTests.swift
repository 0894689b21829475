import Foundation
import Strata
import TestSupport
import Testing

/// An observer that records the changes it receives.
private final class Observer<Change: Sendable>: Sendable {
  let heard = Shared<[Change]>([])
  func hear(_ change: Change) { heard.change { $0.append(change) } }
}

private typealias StoreObserver = Observer<StorageChange<String>>
private typealias UserObserver = Observer<KeyChange<User>>

@Suite struct ObservationTests {
  private let ada = User(name: "Ada")
  private let eve = User(name: "Eve")

  @Test("a store observer receives every change, in order", arguments: everything)
  func store(kind: ChainKind, mode: Mode) async throws {
    let chains = Chains(kind)
    let storage = try chains.open(User.self)
    let observer = StoreObserver()
    storage.addStorageObserver(observer) { $0.hear($2) }
    try await mode.set(storage, "a", ada)
    try await mode.update(storage, "a") { $0.visits = 1 }
    try await mode.removeInMemory(storage, "a")
    if !kind.outlivesRestart { try await mode.set(storage, "a", ada) }
    try await mode.remove(storage, "a")
    try await mode.remove(storage, "a")
    try await mode.removeAll(storage)
    try await mode.sweep(storage)
    let again: [StorageChange<String>] = kind.outlivesRestart ? [] : [.add(key: "a")]
    #expect(
      observer.heard.value == [.add(key: "a"), .add(key: "a"), .removeInMemory(key: "a")] + again
        + [.remove(key: "a"), .removeAll, .removeExpired])
  }

  @Test("a key observer receives the changes of its key, with the values", arguments: everything)
  func key(kind: ChainKind, mode: Mode) async throws {
    let chains = Chains(kind)
    let storage = try chains.open(User.self)
    let observer = UserObserver()
    storage.addObserver(observer, forKey: "a") { $0.hear($2) }
    try await mode.set(storage, "a", ada)
    try await mode.set(storage, "b", eve)
    try await mode.set(storage, "a", eve)
    try await mode.update(storage, "a") { $0.visits = 1 }
    try await mode.remove(storage, "a")
    try await mode.setMany(storage, ["a": ada, "b": ada])
    try await mode.removeMany(storage, ["b", "a"])
    try await mode.set(storage, "a", ada, .seconds(5))
    chains.time.advance(by: 6)
    try await mode.sweep(storage)
    try await mode.set(storage, "a", eve)
    try await mode.removeAll(storage)
    try await mode.removeAll(storage)
    #expect(
      observer.heard.value == [
        .edit(before: nil, after: ada), .edit(before: ada, after: eve),
        .edit(before: eve, after: User(name: "Eve", visits: 1)), .remove, .edit(before: nil, after: ada),
        .remove,
        .edit(before: nil, after: ada), .remove, .edit(before: nil, after: eve), .remove,
      ])
  }

  @Test("a view's observer receives the values of other views as its own type")
  func views() throws {
    let storage = try Chains(.disk).open(User.self)
    let observer = UserObserver()
    storage.addObserver(observer, forKey: "a") { $0.hear($2) }
    try storage.transformData().setObject(Data(#"{"name":"Ada","visits":0}"#.utf8), forKey: "a")
    try storage.transform(to: Int.self).setObject(1, forKey: "a")
    try storage.setObject(eve, forKey: "a")
    #expect(
      observer.heard.value == [.edit(before: nil, after: ada), .remove, .edit(before: nil, after: eve)])
  }

  @Test("an observation outlives its view, but not the token's cancellation, the observer or the store")
  func ends() throws {
    var storage = try Optional(Chains(.byHand).open(User.self))
    let byView = StoreObserver()
    storage?.transform(to: Int.self).addStorageObserver(byView) { $0.hear($2) }
    let cancelled = StoreObserver()
    let token = storage?.addStorageObserver(cancelled) { $0.hear($2) }
    let calls = Shared(0)
    var gone: StoreObserver? = StoreObserver()
    weak let weakGone = gone
    if let gone { storage?.addStorageObserver(gone) { _, _, _ in calls.change { $0 += 1 } } }
    let all = StoreObserver()
    storage?.addStorageObserver(all) { $0.hear($2) }
    try storage?.setObject(ada, forKey: "a")
    token?.cancel()
    gone = nil
    #expect(weakGone == nil, "an observer is not kept alive")
    try storage?.setObject(ada, forKey: "a")
    #expect(byView.heard.value.count == 2)
    #expect(cancelled.heard.value.count == 1)
    #expect(calls.value == 1)
    storage?.removeAllStorageObservers()
    try storage?.setObject(ada, forKey: "a")
    #expect(all.heard.value.count == 2)
    weak let weakStorage = storage
    storage?.addStorageObserver(all) { $0.hear($2) }
    storage = nil
    #expect(weakStorage == nil, "an observation does not keep the store alive")
  }

  @Test("an observer that another one ends is not called for the change that both were to receive")
  func endedMeanwhile() throws {
    let storage = try Chains(.memoryOnly).open(User.self)
    let tokens = Shared<[ObservationToken]>([])
    let (first, second, ofKey) = (StoreObserver(), StoreObserver(), UserObserver())
    storage.addStorageObserver(first) { observer, _, change in
      observer.hear(change)
      for token in tokens.value { token.cancel() }
    }
    let added = [
      storage.addStorageObserver(second) { $0.hear($2) },
      storage.addObserver(ofKey, forKey: "a") { $0.hear($2) },
    ]
    tokens.change { $0 = added }
    try storage.setObject(ada, forKey: "a")
    #expect(first.heard.value == [.add(key: "a")])
    #expect(second.heard.value.isEmpty)
    #expect(ofKey.heard.value.isEmpty)
    storage.addStorageObserver(second) { $0.hear($2) }
    try storage.setObject(eve, forKey: "a")
    #expect(second.heard.value == [.add(key: "a")])
  }

  @Test("observers of keys are removed key by key and together")
  func removing() throws {
    let storage = try Chains(.memoryOnly).open(User.self)
    let (a, b) = (UserObserver(), UserObserver())
    storage.addObserver(a, forKey: "a") { $0.hear($2) }
    storage.addObserver(a, forKey: "a") { $0.hear($2) }
    storage.addObserver(b, forKey: "b") { $0.hear($2) }
    func write() throws { try storage.setObjects(["a": ada, "b": eve], expiry: nil) }
    try write()
    storage.removeObserver(forKey: "a")
    try write()
    storage.removeAllKeyObservers()
    try write()
    #expect(a.heard.value.count == 2 && b.heard.value.count == 2)
  }

  @Test("an observer may call the store", arguments: ChainKind.allCases)
  func reentry(kind: ChainKind) async throws {
    let storage = try Chains(kind).open(User.self)
    let observer = StoreObserver()
    storage.addStorageObserver(observer) { observer, storage, change in
      observer.hear(change)
      guard observer.heard.value == [.add(key: "a")] else { return }
      #expect(throws: Never.self) {
        #expect(try storage.object(forKey: "a").name == "Ada")
        try storage.update(forKey: "a") { $0.visits += 1 }
        try storage.setObject(User(name: "copy"), forKey: "b")
        try storage.removeObject(forKey: "a")
      }
    }
    try await storage.setObject(ada, forKey: "a")
    #expect(
      observer.heard.value == [.add(key: "a"), .add(key: "a"), .add(key: "b"), .remove(key: "a")])
    #expect(try await storage.objectIfPresent(forKey: "b")?.name == "copy")
  }

  @Test("concurrent changes are reported once each, and changes of one key in order")
  func concurrent() async throws {
    let storage = try Chains(.memoryOnly).open(Int.self)
    let observer = Observer<KeyChange<Int>>()
    storage.addObserver(observer, forKey: "n") { $0.hear($2) }
    try await storage.setObject(0, forKey: "n")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        group.addTask {
          for _ in 0..<100 { try await Mode.allCases[worker % 3].update(storage, "n") { $0 += 1 } }
        }
      }
      try await group.waitForAll()
    }
    // A thread of the pool may still deliver what the last callers have recorded.
    await until { observer.heard.value.count >= 601 }
    let expected = (0...600).map { KeyChange.edit(before: $0 == 0 ? nil : $0 - 1, after: $0) }
    #expect(observer.heard.value == expected)
  }

  @Test("`changes` is a sequence that ends with the store")
  func sequence() async throws {
    var storage = try Optional(Chains(.memoryOnly).open(User.self))
    let changes = try #require(storage?.changes)
    let asyncChanges = try #require(storage?.async.changes)
    try await storage?.setObject(ada, forKey: "a")
    try await storage?.async.removeObject(forKey: "a")
    storage = nil
    for changes in [changes, asyncChanges] {
      var heard: [StorageChange<String>] = []
      for await change in changes { heard.append(change) }
      #expect(heard == [.add(key: "a"), .remove(key: "a")])
    }
  }

  @Test("the number of unread changes is limited")
  func bounded() async throws {
    var storage = try Optional(Chains(.memoryOnly).open(Int.self))
    let changes = try #require(storage?.changes)
    for value in 0..<5000 { try await storage?.setObject(value, forKey: "\(value)") }
    storage = nil
    var heard: [StorageChange<String>] = []
    for await change in changes { heard.append(change) }
    #expect(heard == (3976..<5000).map { .add(key: "\($0)") }, "the newest 1024, and then the end")
  }

  @Test("a failed operation is not reported as a change")
  func failure() throws {
    let back = DictionaryStorage<String, Data>()
    let storage = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: back,
      transformer: Transformer<User>.codable(User.self))
    let observer = StoreObserver()
    storage.addStorageObserver(observer) { $0.hear($2) }
    back.fail(.write)
    #expect(throws: Failure.first) { try storage.setObject(ada, forKey: "a") }
    #expect(observer.heard.value == [])
  }
}
