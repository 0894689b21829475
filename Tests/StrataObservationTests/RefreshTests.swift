import Foundation
import StrataObservation
import StrataTestKit
import TestSupport
import Testing

/// Two processes share a store that reports no changes, each with memory in front: an app and its extension.
@Suite("A refresh asks the authoritative tier", .endsInTime)
@MainActor
struct RefreshTests {
  private let shared = DictionaryStorage<String, Data>()

  private func process() -> Storage<String, String> {
    Storage(front: MemoryStorage<String, TypeWrapper>(), back: shared, transformer: .codable(String.self))
  }

  /// The chains that an app may observe.
  nonisolated enum View: CaseIterable {
    case storage, async, serial, values, pairs, nested, suspending

    func of(_ base: Storage<String, String>, _ shared: DictionaryStorage<String, Data>) -> any StorageAware<
      String, String
    > {
      let memory = MemoryStorage<String, TypeWrapper>()
      switch self {
      case .storage: return base
      case .async: return base.async
      case .serial: return base.async.serial()
      case .values: return base.mapValues(to: String.self, mapTo: { $0 }, mapFrom: { $0 })
      case .pairs:
        return zip(base, base).mapValues(to: String.self, mapTo: { $0.0 }, mapFrom: { ($0, $0) })
      case .nested: return MemoryStorage<String, String>().combined(with: base)
      case .suspending:
        return AsyncStorage(front: memory, back: SlowStorage(shared), transformer: .codable(String.self))
      }
    }
  }

  @Test("a value that another process has written, or removed", arguments: View.allCases)
  func value(_ view: View) async throws {
    let other = process()
    try await other.setObject("Ada", forKey: "a")
    let store = view.of(process(), shared)
    let name = StoredValue(store, forKey: "a")
    await name.settled()
    #expect(name.value == "Ada")
    try await other.setObject("Grace", forKey: "a")
    await name.refresh()
    #expect(name.value == "Grace" && name.phase.isLoaded)
    // Other readers see it from now on, too.
    #expect(try await store.object(forKey: "a") == "Grace")
    try await other.removeObject(forKey: "a")
    await name.refresh()
    #expect(name.value == nil && name.phase.isLoaded)
    #expect(try await store.objectIfPresent(forKey: "a") == nil)
  }

  @Test("a collection reads what another process has written", arguments: View.allCases)
  func collection(_ view: View) async throws {
    let other = process()
    try await other.setObjects(["a": "Ada", "b": "Eve", "c": "Joan"])
    let all = StoredCollection(view.of(process(), shared))
    while all.hasMore { await all.loadMore() }
    #expect(all.elements.count == 3)
    try await other.setObject("Grace", forKey: "a")
    try await other.removeObject(forKey: "b")
    await all.refresh()
    #expect(all["a"] == "Grace" && all["b"] == nil && all["c"] == "Joan" && all.elements.count == 2)
  }

  @Test("over a loading store whose source is down, what another process has stored")
  func loading() async throws {
    let isDown = Shared(false)
    func loader() -> LoadingStorage<String, String> {
      process().loading(LoadPolicy(freshFor: .seconds(600), staleFor: .seconds(600))) { request in
        if isDown.value { throw Failure.first }
        return .value("loaded")
      }
    }
    let (mine, other) = (loader(), loader())
    let name = StoredValue(mine, forKey: "a")
    let all = StoredCollection(mine)
    await until { name.value == "loaded" && all["a"] == "loaded" }
    isDown.change { $0 = true }
    try await other.setObject("written", forKey: "a")
    await name.refresh()
    #expect(name.value == "written")
    try await other.setObject("again", forKey: "a")
    await all.refresh()
    #expect(all["a"] == "again")
  }

  @Test("memory alone is authoritative, and loses nothing")
  func memory() async throws {
    let (store, _) = memoryStorage()
    try await store.setObject("Ada", forKey: "a")
    let (name, all) = (StoredValue(store, forKey: "a"), StoredCollection(store))
    await name.refresh()
    await all.refresh()
    #expect(name.value == "Ada" && all["a"] == "Ada")
    #expect(try await store.object(forKey: "a") == "Ada")
  }

  @Test("a failure of the authoritative tier becomes the phase, and memory keeps the value")
  func failing() async throws {
    let store = process()
    try await store.setObject("Ada", forKey: "a")
    let name = StoredValue(store, forKey: "a")
    shared.fail(.read)
    await name.refresh()
    #expect(name.value == "Ada" && name.phase.error is Failure)
    #expect(try await store.object(forKey: "a") == "Ada")
    shared.work()
    await name.refresh()
    #expect(name.value == "Ada" && name.phase.isLoaded)
  }
}
