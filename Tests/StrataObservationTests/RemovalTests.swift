import Foundation
import StrataObservation
import StrataTestKit
import TestSupport
import Testing

@Suite("Removals by tag, and expireAll, reach observers", .endsInTime)
@MainActor
struct RemovalTests {
  private let isDown = Shared(false)
  private let loads = Shared(0)

  /// A loading store of numbers. Keys with a "t" have a tag.
  private func loading(
    _ base: some StorageAware<String, Int>, _ generations: Generations = Generations()
  ) -> LoadingStorage<String, Int> {
    let load: @Sendable (LoadRequest<String, Int>) async throws -> Loaded<Int> = { [isDown, loads] request in
      if isDown.value { throw Failure.first }
      let number = loads.change { loads in
        loads += 1
        return loads
      }
      return .value(number, tags: request.key.contains("t") ? ["t"] : [])
    }
    let policy = LoadPolicy(freshFor: .seconds(600), staleFor: .seconds(600))
    switch base {
    case let storage as Storage<String, Int>:
      return storage.loading(policy, generations: generations, load)
    case let storage as AsyncStorage<String, Int>:
      return storage.loading(policy, generations: generations, load)
    default: return base.loading(policy, generations: generations, load)
    }
  }

  /// Everything that observes a loading store.
  @MainActor
  private final class Observers {
    let value: StoredValue<Int>
    let untagged: StoredValue<Int>
    let all: StoredCollection<String, Int>
    let changes = Shared<[StorageChange<String>]>([])
    let ofKey = Shared<[KeyChange<Int>]>([])
    let ofUntagged = Shared<[KeyChange<Int>]>([])

    init(_ store: LoadingStorage<String, Int>) async throws {
      for key in ["t1", "t2", "u"] { _ = try await store.object(forKey: key) }
      value = StoredValue(store, forKey: "t1")
      untagged = StoredValue(store, forKey: "u")
      all = StoredCollection(store)
      while all.hasMore { await all.loadMore() }
      await until { all.elements.count == 3 && value.value != nil && untagged.value != nil }
      try store.addStorageObserver(self) { this, _, change in this.changes.change { $0.append(change) } }
      try store.addObserver(self, forKey: "t1") { this, _, change in this.ofKey.change { $0.append(change) } }
      try store.addObserver(self, forKey: "u") { this, _, change in
        this.ofUntagged.change { $0.append(change) }
      }
    }
  }

  @Test("a removal by tag reaches all observers, and only those of its values", arguments: [false, true])
  func tags(async: Bool) async throws {
    let (base, _) = memoryStorage(of: Int.self)
    let store = async ? loading(base.async) : loading(base)
    let seen = try await Observers(store)
    var stream = base.changes.makeAsyncIterator()
    isDown.change { $0 = true }
    try await store.remove(tagged: "t")
    // Two values are gone, and the loader has none.
    await until { seen.all["t1"] == nil && seen.all["t2"] == nil && seen.value.value == nil }
    #expect(seen.all["u"] == seen.untagged.value && seen.untagged.phase.isLoaded)
    await until { seen.value.phase.error is Failure }
    #expect(seen.ofKey.value == [.remove] && seen.ofUntagged.value == [])
    #expect(seen.changes.value == [.remove(key: "t1"), .removeExpired])
    #expect(await stream.next() == .remove(key: "t1"))
    #expect(await stream.next() == .removeExpired)
    // Another removal changes nothing more of the key.
    try await store.remove(tagged: "t")
    #expect(seen.ofKey.value == [.remove])
    isDown.change { $0 = false }
    await seen.value.refresh()
    #expect(seen.value.value == 4 && seen.value.phase.isLoaded)
    await until { seen.all["t1"] == 4 }
  }

  @Test("a value that is removed by its tag is loaded again")
  func loadedAgain() async throws {
    let store = loading(memoryStorage(of: Int.self).storage)
    let seen = try await Observers(store)
    try await store.remove(tagged: "t")
    await until { seen.value.value == 4 && seen.value.phase.isLoaded && seen.all["t1"] == 4 }
    #expect(seen.all["t2"] == nil)
  }

  @Test("expireAll makes every observed value stale")
  func expired() async throws {
    let store = loading(memoryStorage(of: Int.self).storage)
    let seen = try await Observers(store)
    isDown.change { $0 = true }
    try await store.expireAll()
    await until { seen.value.phase.isStale && seen.untagged.phase.isStale }
    #expect(seen.value.value == 1 && seen.untagged.value == 3)
    #expect(seen.ofKey.value == [.edit(before: 1, after: 1)])
    #expect(seen.ofUntagged.value == [.edit(before: 3, after: 3)])
    #expect(seen.changes.value.last == .removeExpired && seen.changes.value.count == 3)
    try await store.expireAll()
    #expect(seen.ofKey.value.count == 1)
  }

  @Test("stores that share generations share their removals")
  func sharedGenerations() async throws {
    let generations = Generations()
    let (mine, other) = (
      loading(memoryStorage(of: Int.self).storage, generations),
      loading(memoryStorage(of: Int.self).storage, generations)
    )
    let seen = try await Observers(mine)
    try await other.remove(tagged: "t")
    await until { seen.all["t2"] == nil && seen.value.value == 4 }
    #expect(seen.ofKey.value.first == .remove)
    isDown.change { $0 = true }
    try await other.expireAll()
    await until { seen.untagged.phase.isStale }
  }

  @Test("combinators over and under the loading store pass removals on")
  func combinators() async throws {
    let memory = MemoryStorage<String, TypeWrapper>()
    let bytes = Storage(TypeWrapperStorage(memory, transformer: .data))
    let store =
      bytes.mapKeys(to: String.self, mapTo: { String($0.dropFirst(2)) }, mapFrom: { "k/" + $0 })
      .loading { [loads] request in
        let number = loads.change { loads in
          loads += 1
          return loads
        }
        return .value(Data("\(number)".utf8), tags: ["t"])
      }
    for key in ["a", "b"] { _ = try await store.object(forKey: key) }
    try await store.setObject(Data("100".utf8), forKey: "c")
    let numbers = store.transform(to: Int.self)
    let (number, all) = (StoredValue(numbers, forKey: "a"), StoredCollection(numbers))
    while all.hasMore { await all.loadMore() }
    await until { number.value == 1 && all["b"] == 2 && all["c"] == 100 }
    let changes = Shared<[StorageChange<String>]>([])
    bytes.addStorageObserver(changes) { changes, _, change in changes.change { $0.append(change) } }
    try await store.remove(tagged: "t")
    #expect(changes.value.prefix(2) == [.remove(key: "k/a"), .removeExpired])
    await until { number.value ?? 0 > 2 && (all["b"] ?? 3) > 2 }
    #expect(all["c"] == 100)
  }

  /// One of several processes that share values and generations on a server, with memory in front of both.
  private struct Process {
    let values: AnnouncingStorage<Data>
    let tags: AnnouncingStorage<Data>
    let store: LoadingStorage<String, Int>

    init(
      _ values: AnnouncingServer<Data>, _ tags: AnnouncingServer<Data>,
      _ load: @escaping @Sendable () throws -> Int
    ) {
      (self.values, self.tags) = (AnnouncingStorage(values), AnnouncingStorage(tags))
      let generations = Generations(
        Storage(front: MemoryStorage<String, TypeWrapper>(), back: self.tags, transformer: .data))
      store = Storage(
        front: MemoryStorage<String, TypeWrapper>(), back: self.values, transformer: .codable(Int.self)
      )
      .loading(LoadPolicy(freshFor: .seconds(600), staleFor: .seconds(600)), generations: generations) {
        request in
        .value(try load(), tags: [Tag(request.key), "t"])
      }
    }

    func deliverAll() {
      values.deliverAll()
      tags.deliverAll()
    }
  }

  @Test(
    "another process's removals reach observed values, collections, and memory in front of the loading store")
  func otherProcess() async throws {
    let (values, tags) = (AnnouncingServer<Data>(), AnnouncingServer<Data>())
    let number = Shared(1)
    let load: @Sendable () throws -> Int = { [isDown] in
      if isDown.value { throw Failure.first }
      return number.value
    }
    let (mine, other) = (Process(values, tags, load), Process(values, tags, load))
    let front = MemoryStorage<String, Int>().combined(with: mine.store)
    let (value, all) = (StoredValue(mine.store, forKey: "a"), StoredCollection(mine.store))
    let inFront = StoredValue(front, forKey: "a")
    await until { value.value == 1 && inFront.value == 1 }
    _ = try await front.object(forKey: "b")
    mine.deliverAll()
    await until { all["a"] == 1 && all["b"] == 1 }
    _ = try await front.entries(forKeys: ["a", "b"])

    for round in 2...4 {
      number.change { $0 = round }
      if round == 3 { try await other.store.expireAll() } else { try await other.store.remove(tagged: "t") }
      mine.deliverAll()
      #expect(try await front.object(forKey: "b") == round)
      mine.deliverAll()
      // A stale value that is shown is loaded by a refresh.
      if round == 3 { await value.refresh() }
      await until { value.value == round && inFront.value == round && all["b"] == round }
    }
    // A tag that another process adds outdates nothing here.
    let reports = Shared(0)
    let token = mine.store.invalidationSource?.listen { announcement in
      if case .changedAll = announcement { reports.change { $0 += 1 } }
    }
    _ = try await other.store.object(forKey: "new")
    mine.deliverAll()
    #expect(reports.value == 0)
    token?.cancel()
  }

  @Test("a removal by this process empties memory in front of the loading store")
  func memoryInFront() async throws {
    let server = AnnouncingServer<Data>()
    let store = Storage(back: AnnouncingStorage(server), transformer: .codable(Int.self)).loading {
      [loads] _ in
      loads.change { $0 += 1 }
      return .value(loads.value, tags: ["t"])
    }
    let front = MemoryStorage<String, Int>().combined(with: store)
    for round in 1...3 {
      #expect(try await front.object(forKey: "a") == round)
      if round == 2 { try await store.expireAll() } else { try await store.remove(tagged: "t") }
    }
  }
}
