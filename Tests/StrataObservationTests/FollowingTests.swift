import Foundation
import StrataObservation
import StrataTestKit
import TestSupport
import Testing

@Suite("A stored value follows its store", .endsInTime)
@MainActor
struct FollowingTests {
  @Test("a value in memory is there at once, and an absent one after the first read")
  func first() async throws {
    let (store, _) = memoryStorage()
    try await store.setObject("Ada", forKey: "a")
    let ada = StoredValue(store, forKey: "a")
    #expect(ada.value == "Ada" && ada.phase.isLoaded)
    let nobody = StoredValue(store, forKey: "b")
    #expect(nobody.value == nil && nobody.phase.isLoading)
    await nobody.settled()
    #expect(nobody.value == nil && nobody.phase.isLoaded)
  }

  /// The stores that report changes, over one storage of texts.
  nonisolated enum View: CaseIterable {
    case storage, async, otherType, values, keys, serial, guarded, recovered, loading

    func of(_ base: Storage<String, String>) -> any StorageAware<String, String> {
      switch self {
      case .storage: base
      case .async: base.async
      case .otherType: base.transform(to: String.self).transform(to: .codable(String.self))
      case .values: base.mapValues(to: String.self, mapTo: { $0 }, mapFrom: { $0 })
      case .keys: base.mapKeys(to: String.self, mapTo: { String($0.dropFirst(2)) }, mapFrom: { "k/" + $0 })
      case .serial: base.serial()
      case .guarded: base.timeout(.seconds(60))
      case .recovered: base.recover(with: { _ in "" })
      case .loading: base.loading(value: { _ in throw StorageError.notFound })
      }
    }
    var key: String { self == .keys ? "k/a" : "a" }
  }

  @Test("changes through any view reach it", arguments: View.allCases)
  func views(_ view: View) async throws {
    let (base, _) = memoryStorage()
    try await base.setObject("Ada", forKey: view.key)
    let name = StoredValue(view.of(base), forKey: "a")
    await name.settled()
    #expect(name.value == "Ada")
    try blocking { try base.setObject("Grace", forKey: view.key) }
    await until { name.value == "Grace" }
    try await base.async.update(forKey: view.key) { $0 += " Hopper" }
    await until { name.value == "Grace Hopper" }
    try await base.transform(to: String.self).setObjects([view.key: "Joan", "b": "Eve"])
    await until { name.value == "Joan" }
    if view == .recovered || view == .loading { return }
    try await base.removeObject(forKey: view.key)
    await until { name.value == nil }
    try await base.setObject("Ada", forKey: view.key)
    await until { name.value == "Ada" }
    try await base.removeAll()
    await until { name.value == nil }
  }

  @Test("a value on disk alone is read outside of the main actor")
  func disk() async throws {
    let folder = TemporaryFolder()
    let disk = try DiskStorage<String>(config: DiskConfig(name: "names", directory: folder.url))
    let decoded = Shared<[Bool]>([])
    let transformer = Transformer<String>(
      toData: { Data($0.utf8) },
      fromData: { data in
        decoded.change { $0.append(Thread.isMainThread) }
        return String(decoding: data, as: UTF8.self)
      })
    let store = Storage(back: disk, transformer: transformer)
    try await store.setObject("Ada", forKey: "a")
    let name = StoredValue(store, forKey: "a")
    #expect(name.phase.isLoading)
    await until { name.value == "Ada" }
    try await store.setObject("Grace", forKey: "a")
    await until { name.value == "Grace" }
    #expect(!decoded.value.isEmpty && !decoded.value.contains(true))
  }

  @Test("a value over a store follows views of it that are created later")
  func laterViews() async throws {
    let folder = TemporaryFolder()
    let disk = try DiskStorage<String>(config: DiskConfig(name: "names", directory: folder.url))
    let name = StoredValue(disk.transform(to: String.self), forKey: "a")
    await name.settled()
    try await Storage(back: disk, transformer: .codable(String.self)).setObject("Ada", forKey: "a")
    await until { name.value == "Ada" }
  }

  @Test("each change is told once, and an equal value not at all")
  func once() async throws {
    let (store, _) = memoryStorage()
    try await store.setObject("Ada", forKey: "a")
    let name = StoredValue(store, forKey: "a")
    let watcher = Watcher { name.value }
    let phases = Watcher { name.phase.isLoaded }
    for text in ["Ada", "Grace", "Grace", "Joan"] {
      try await store.setObject(text, forKey: "a")
      await name.refresh()
      await until { watcher.seen.last == text }
    }
    #expect(watcher.seen == ["Ada", "Grace", "Joan"])
    #expect(phases.seen == [true])
  }

  @Test("removing all observers of the store ends those of users, and no stored value")
  func observersRemoved() async throws {
    let (store, memory) = memoryStorage()
    let (value, all) = (StoredValue(store, forKey: "a"), StoredCollection(store))
    await all.refresh()
    let heard = Shared(0)
    store.addStorageObserver(heard) { heard, _, _ in heard.change { $0 += 1 } }
    store.addObserver(heard, forKey: "a") { heard, _, _ in heard.change { $0 += 1 } }
    store.addObserver(heard, forKey: "b") { heard, _, _ in heard.change { $0 += 1 } }
    store.removeAllStorageObservers()
    store.removeObserver(forKey: "a")
    store.removeAllKeyObservers()
    try await store.setObjects(["a": "Ada", "b": "Eve"])
    await until { value.value == "Ada" && all["a"] == "Ada" }
    #expect(heard.value == 0)
    #expect(memory.coordinator?.observers.watchedKeys == ["a"])
  }

  @Test("a value of a type that cannot compare is shown, too")
  func incomparable() async throws {
    struct Opaque: Codable, Sendable { var number: Int }
    let (store, _) = memoryStorage(of: Opaque.self)
    let value = StoredValue(store, forKey: "a")
    try await store.setObject(Opaque(number: 1), forKey: "a")
    await until { value.value?.number == 1 }
    try await value.set(Opaque(number: 2))
    #expect(value.value?.number == 2)
  }

  @Test("a store that reports nothing is followed by `refresh()`")
  func silent() async throws {
    let store = DictionaryStorage<String, Int>(["a": 1])
    let value = StoredValue(store, forKey: "a")
    await value.settled()
    try blocking { try store.setObject(2, forKey: "a") }
    await value.refresh()
    #expect(value.value == 2)
    try blocking { try store.removeObject(forKey: "a") }
    await value.refresh()
    #expect(value.value == nil && value.phase.isLoaded)
  }

  @Test("a failed read keeps the value, and a later one ends the failure")
  func failing() async throws {
    let store = DictionaryStorage<String, Int>(["a": 1])
    let value = StoredValue(store, forKey: "a")
    await value.settled()
    store.fail(.read)
    await value.refresh()
    #expect(value.value == 1 && value.phase.error is Failure)
    store.work()
    await value.refresh()
    #expect(value.value == 1 && value.phase.isLoaded)
  }

  @Test("a value may expire later than a clock can wait", arguments: [1e19, 1e30])
  func farExpiry(_ seconds: Double) async throws {
    let memory = MemoryStorage<String, Int>()
    try await memory.setObject(1, forKey: "a", expiry: .seconds(seconds))
    let value = StoredValue(memory, forKey: "a")
    await value.refresh()
    try await memory.setObject(2, forKey: "a", expiry: .seconds(seconds))
    await value.refresh()
    #expect(value.value == 2)
  }

  @Test("a value is gone when it expires")
  func expired() async throws {
    let time = ManualClock()
    let memory = MemoryStorage<String, Int>(config: MemoryConfig(clock: time.clock))
    try await memory.setObject(1, forKey: "a", expiry: .seconds(60))
    let value = StoredValue(memory, forKey: "a", clock: time)
    #expect(value.value == 1)
    await time.sleepers(1)
    time.advance(by: 61)
    await until { value.value == nil }
    #expect(value.phase.isLoaded)
    try await value.set(2)
    await value.refresh()
    #expect(value.value == 2 && time.sleeperCount == 0)
  }
}
