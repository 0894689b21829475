import StrataObservation
import StrataTestKit
import TestSupport
import Testing

@Suite("A stored collection", .endsInTime)
@MainActor
struct CollectionTests {
  private typealias Collection = StoredCollection<String, Int>

  private func filled(_ count: Int) async throws -> Storage<String, Int> {
    let (store, _) = memoryStorage(of: Int.self)
    try await store.setObjects(Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", $0) }))
    return store
  }

  private func loaded(_ all: Collection) async {
    await until { all.phase.isLoaded }
  }

  @Test("pages are read one after the other")
  func pages() async throws {
    let all = Collection(try await filled(25), pageSize: 10)
    #expect(all.elements.isEmpty && all.phase.isLoading && all.hasMore)
    await loaded(all)
    var counts: [Int] = []
    while all.hasMore {
      await all.loadMore()
      counts.append(all.elements.count)
    }
    #expect(Set(all.elements.map(\.value)) == Set(0..<25) && all.elements.count == 25)
    #expect(counts == counts.sorted() && counts.count >= 2)
    await all.loadMore()
    #expect(all.elements.count == 25)
  }

  @Test("changes are made in place")
  func inPlace() async throws {
    let store = try await filled(25)
    let all = Collection(store, pageSize: 100)
    await until { !all.hasMore }
    let keys = all.elements.map(\.key)
    try await store.setObject(100, forKey: keys[3])
    await until { all[keys[3]] == 100 }
    #expect(all.elements.map(\.key) == keys && all.elements[3].value == 100)
    try await store.removeObject(forKey: keys[5])
    try await store.setObject(200, forKey: "new")
    await until { all["new"] == 200 && all[keys[5]] == nil }
    #expect(all.elements.map(\.key) == keys.filter { $0 != keys[5] } + ["new"])
    try await store.transform(to: Int64.self).setObjects(["new": 300, keys[0]: 400])
    await until { all["new"] == 300 && all[keys[0]] == 400 }
    #expect(all.elements.count == 25 && all.elements[0].value == 400)
    try await store.removeAll()
    await until { all.elements.isEmpty }
    // What was read to its end is read to its end again.
    for number in 0..<300 { try await store.setObject(number, forKey: "\(number)") }
    try await store.removeExpiredObjects()
    await until { all.elements.count == 300 && !all.hasMore }
  }

  @Test("a change beyond the pages that were read is no entry, until its page is read")
  func beyond() async throws {
    let store = try await filled(50)
    let all = Collection(store, pageSize: 10)
    await loaded(all)
    let read = Set(all.elements.map(\.key))
    let others = try await store.keys().filter { !read.contains($0) }
    try await store.setObject(1000, forKey: others[0])
    try await store.setObject(2000, forKey: "new")
    try await store.setObject(3000, forKey: all.elements[0].key)
    await until { all.elements[0].value == 3000 }
    #expect(Set(all.elements.map(\.key)) == read)
    while all.hasMore { await all.loadMore() }
    #expect(all.elements.count == 51 && all[others[0]] == 1000 && all["new"] == 2000)
  }

  @Test("other processes' changes reach it, and a lost link reads all again")
  func shared() async throws {
    let server = AnnouncingServer<Int>()
    let (mine, other) = (AnnouncingStorage(server), AnnouncingStorage(server))
    try blocking { for number in 0..<5 { try other.setObject(number, forKey: "\(number)") } }
    let all = Collection(mine)
    await until { !all.hasMore && all.elements.count == 5 }
    try blocking { try other.setObject(100, forKey: "3") }
    mine.deliverAll()
    await until { all["3"] == 100 }
    mine.cut()
    mine.noticeLoss()
    try blocking { try other.removeObject(forKey: "4") }
    try blocking { try other.setObject(5, forKey: "5") }
    mine.reconnect()
    await until { all["5"] == 5 && all["4"] == nil }
    #expect(all.elements.count == 5)
  }

  @Test("a failed read keeps the entries, and is made up for")
  func failing() async throws {
    let store = DictionaryStorage<String, Int>(["a": 1, "b": 2])
    let all = Collection(store)
    await loaded(all)
    store.fail(.read, .keys)
    await all.refresh()
    #expect(all.phase.error is Failure && all.elements.count == 2)
    store.work()
    try blocking { try store.setObject(3, forKey: "c") }
    await all.refresh()
    #expect(all.phase.isLoaded && all["c"] == 3)
  }

  @Test("over a loading store it shows what is stored, and loads nothing")
  func loading() async throws {
    let loads = Shared(0)
    let store = try await filled(0).loading { _ in
      loads.change { $0 += 1 }
      return .value(1)
    }
    _ = try await store.object(forKey: "a")
    let all = Collection(store)
    await until { all["a"] == 1 }
    try await store.setObject(2, forKey: "b")
    await until { all["b"] == 2 }
    try await store.removeObject(forKey: "a")
    await until { all["a"] == nil }
    #expect(loads.value == 1)
  }

  @Test("an element is told as changed only if it is")
  func once() async throws {
    let store = try await filled(5)
    let all = Collection(store)
    await until { !all.hasMore }
    let watcher = Watcher { all.elements.map(\.value).reduce(0, +) }
    try await store.setObject(0, forKey: "0")
    await all.refresh()
    try await store.setObject(10, forKey: "0")
    await until { watcher.seen.last == 20 }
    #expect(watcher.seen == [10, 20])
  }
}
