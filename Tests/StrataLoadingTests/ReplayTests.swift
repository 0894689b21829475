import Strata
import StrataCore
import StrataTestKit
import Synchronization
import TestSupport
import Testing

@testable import StrataLoading

@Suite("Replaying writes that a store has refused", .timeLimit(.minutes(5)), .endsInTime)
struct ReplayTests {
  typealias Queue = ReplayQueue<String, Int>

  // MARK: The rules

  @Test("writes are repeated in order, only the newest of each key, and `removeAll` first")
  func order() {
    var queue = Queue(limit: 10)
    for (key, value) in [("a", 1), ("b", 2), ("a", 3)] { _ = queue.add(.set(value, nil), forKey: key) }
    #expect(queue.count == 2)
    #expect(drained(&queue) == ["b=2", "a=3"])
    _ = queue.add(.set(1, nil), forKey: "a")
    queue.removeAll()
    _ = queue.add(.remove, forKey: "b")
    #expect(queue.isClearing)
    #expect(drained(&queue) == ["all", "b-"])
    #expect(queue.isEmpty)
  }

  @Test("a write made while an older one of its key is being executed stays pending")
  func meanwhile() throws {
    var queue = Queue(limit: 10)
    _ = queue.add(.set(1, nil), forKey: "a")
    let first = queue.next()
    let next = try #require(first)
    _ = queue.add(.set(2, nil), forKey: "a")
    queue.done(next)
    #expect(drained(&queue) == ["a=2"])
  }

  @Test("the number of pending keys is limited; newer writes of a key replace older ones")
  func limit() {
    var queue = Queue(limit: 2)
    let isAdded = ["a", "b", "c"].map { queue.add(.set(1, nil), forKey: $0) }
    #expect(isAdded == [true, true, false])
    for value in 0..<1000 { _ = queue.add(.set(value, nil), forKey: "a") }
    #expect(drained(&queue) == ["b=1", "a=999"])
  }

  private func drained(_ queue: inout Queue) -> [String] {
    var made: [String] = []
    while let next = queue.next() {
      switch next.change {
      case nil: made.append("all")
      case (let key, .set(let value, _, _))?: made.append("\(key)=\(value)")
      case (let key, .remove)?: made.append("\(key)-")
      }
      queue.done(next)
    }
    return made
  }

  // MARK: The store

  /// A store that can be made to fail, behind a replaying store.
  private struct World {
    let time = ManualClock()
    let inner: DictionaryStorage<String, Int>
    let store: ReplayingStorage<DictionaryStorage<String, Int>>
    let events = Shared<[String]>([])

    init(limit: Int = 100) {
      inner = DictionaryStorage(["old": 0], clock: time.clock)
      store = inner.replaying(limit: limit, backoff: .fixed(.seconds(1)), clock: time) { [events] event in
        switch event {
        case .deferred(let key, _): events.change { $0.append("deferred \(key ?? "all")") }
        case .replayed(let key): events.change { $0.append("replayed \(key ?? "all")") }
        case .dropped(let key, _): events.change { $0.append("dropped \(key ?? "all")") }
        }
      }
    }

    func goesDown() { inner.fail(.read, .write, .remove, .removeAll, .keys) }
    func told() -> [String] { events.value }
    func waits(_ count: Int) async { await until { store.waitingWrites == count } }
  }

  @Test(
    "while the store fails, writes are pending and reads return their values; later the writes are executed in order"
  )
  func outage() async throws {
    let world = World()
    world.goesDown()
    try await world.store.setObject(1, forKey: "a")
    try await world.store.setObjects(["b": 2], expiry: nil)
    try await world.store.removeObject(forKey: "old")
    try await world.store.setObject(3, forKey: "a")
    #expect(try await world.store.object(forKey: "a") == 3)
    #expect(
      try await world.store.entries(forKeys: ["a", "b", "old"]).mapValues(\.object) == ["a": 3, "b": 2])
    #expect(try await world.store.objectIfPresent(forKey: "old") == nil)
    await #expect(throws: (any Error).self) { try await world.store.object(forKey: "else") }
    await world.time.sleepers(1)
    world.time.advance(by: .seconds(1))
    await world.time.sleepers(1)
    #expect(world.store.waitingWrites == 3)
    world.inner.work()
    world.time.advance(by: .seconds(1))
    await world.waits(0)
    #expect(world.inner.objects == ["a": 3, "b": 2])
    #expect(
      world.told() == [
        "deferred a", "deferred b", "deferred old", "deferred a", "replayed b", "replayed old", "replayed a",
      ])
    try await world.store.setObject(4, forKey: "a")
    #expect(world.inner.objects["a"] == 4)
  }

  @Test("a pending write without an expiry is read with the store's own, and an update keeps it")
  func ownExpiry() async throws {
    let time = ManualClock()
    let inner = DictionaryStorage<String, Int>(expiry: .seconds(10), clock: time.clock)
    let store = inner.replaying(clock: time)
    inner.fail(.read, .write)
    try await store.setObject(1, forKey: "a")
    let end = Expiry.seconds(10).resolved(by: time.clock)
    #expect(try await store.entry(forKey: "a").expiry == end)
    #expect(try await store.expiryIfPresent(forKey: "a") == end)
    _ = try await store.serial().update(forKey: "a") { $0 += 1 }
    inner.work()
    #expect(try await store.objectIfPresent(forKey: "b") == nil)
    await until { store.waitingWrites == 0 }
    #expect(inner.objects["a"] == 2)
    #expect(try await inner.expiryIfPresent(forKey: "a") == end)
  }

  @Test("a successful read starts the replay")
  func readTells() async throws {
    let world = World()
    world.inner.fail(.write)
    try await world.store.setObject(1, forKey: "a")
    world.inner.work()
    #expect(try await world.store.object(forKey: "old") == 0)
    await world.waits(0)
    #expect(world.inner.objects["a"] == 1)
  }

  @Test("of many successful reads while writes are refused, only one at a time retries the writes")
  func oneReplay() async throws {
    let base = RefusingStorage()
    let store = base.replaying(backoff: .fixed(.seconds(1)), clock: ManualClock())
    try await store.setObject(1, forKey: "a")
    let gate = Gate(holding: 1)
    base.gate.change { $0 = gate }
    for _ in 0..<100 { _ = try await store.objectIfPresent(forKey: "other") }
    await gate.arrivals(1)
    gate.open()
    await until { !store.isReplaying.load(ordering: .acquiring) }
    #expect(base.attempts.value == 2)
    #expect(store.waitingWrites == 1)
  }

  @Test("no write is executed before earlier pending ones, and a pending `removeAll` hides stored values")
  func noOvertaking() async throws {
    let world = World()
    world.inner.fail(.removeAll)
    try await world.store.removeAll()
    try await world.store.setObject(1, forKey: "a")
    #expect(world.inner.objects == ["old": 0])
    #expect(try await world.store.objectIfPresent(forKey: "old") == nil)
    #expect(try await world.store.keys() == ["a"])
    world.inner.work()
    try await world.store.replay()
    #expect(world.inner.objects == ["a": 1])
  }

  @Test("keys that are listed while pending writes are executed include these writes", arguments: [1, .max])
  func listedDuringReplay(_ pageSize: Int) async throws {
    let base = SlowListing()
    let store = base.replaying(clock: ManualClock())
    base.inner.fail(.write, .remove)
    try await store.setObject(1, forKey: "new")
    try await store.removeObject(forKey: "old")
    base.inner.work()
    let listing = Task { () -> [String] in
      if pageSize == .max { return try await store.keys() }
      return try await store.keyPages(of: pageSize).reduce(into: []) { $0 += $1 }
    }
    await base.gate.arrivals(1)
    try await store.replay()
    base.gate.open()
    #expect(try await listing.value == ["new"])
  }

  @Test("beyond the limit, a write throws the store's error; no write is lost silently")
  func full() async throws {
    let world = World(limit: 1)
    world.goesDown()
    try await world.store.setObject(1, forKey: "a")
    await #expect(throws: (any Error).self) { try await world.store.setObject(1, forKey: "b") }
    try await world.store.setObject(2, forKey: "a")
    world.inner.work()
    try await world.store.replay()
    #expect(world.inner.objects == ["a": 2, "old": 0])
  }

  @Test(
    "a write refused for its value is not pending; a value that expired while pending removes the old one"
  )
  func lastingAndExpired() async throws {
    let world = World()
    world.inner.fail(.write, with: StorageError.tooLarge)
    await #expect(throws: StorageError.tooLarge) { try await world.store.setObject(1, forKey: "a") }
    #expect(world.store.waitingWrites == 0)
    world.goesDown()
    try await world.store.setObject(1, forKey: "old", expiry: .seconds(5))
    world.time.advance(by: 10)
    world.inner.work()
    try await world.store.replay()
    #expect(world.inner.objects == [:])
  }

  @Test(
    "a conditional write is pending too, and does not replace a value that another machine has stored since")
  func conditionalWrites() async throws {
    let world = World()
    #expect(try await world.store.setIfAbsent(1, forKey: "old") == false)
    #expect(try await world.store.setIfAbsent(1, forKey: "a"))
    world.goesDown()
    #expect(try await world.store.setIfAbsent(2, forKey: "b"))
    #expect(try await world.store.setIfAbsent(3, forKey: "b") == false, "a pending value counts")
    #expect(try await world.store.setIfAbsent(2, forKey: "c", expiry: .seconds(5)))
    #expect(try await world.store.setIfAbsent(2, forKey: "d", expiry: .seconds(5)))
    #expect(try await world.store.touch(forKey: "d", expiry: .seconds(50)))
    await #expect(throws: Failure.first) { try await world.store.touch(forKey: "old", expiry: .seconds(50)) }
    try await world.store.removeObject(forKey: "old")
    #expect(try await world.store.touch(forKey: "old", expiry: .seconds(50)) == false)
    #expect(try await world.store.setIfAbsent(4, forKey: "old"), "its removal is pending")
    world.time.advance(by: 10)
    world.inner.work()
    try blocking { try world.inner.setObject(7, forKey: "b") }
    try await world.store.replay()
    #expect(world.inner.objects == ["a": 1, "b": 7, "d": 2, "old": 4])
    try await world.store.removeAll()
    world.goesDown()
    try await world.store.removeAll()
    #expect(try await world.store.setIfAbsent(5, forKey: "b"), "the removal of everything is pending")
    world.inner.work()
    try await world.store.replay()
    #expect(world.inner.objects == ["b": 5])
  }

  @Test("a failing second tier counts as a miss, and receives the loaded values when it works again")
  func underLoading() async throws {
    let time = ManualClock()
    let (memory, second) = (
      MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock)),
      DictionaryStorage<String, Cached<Int>>(clock: time.clock)
    )
    let source = Source()
    let replaying = second.replaying(backoff: .fixed(.seconds(1)), clock: time)
    let cache = memory.combined(with: replaying).loading(
      LoadPolicy(freshFor: .seconds(60)), clock: time, source.load)
    second.fail(.read, .write)
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(source.loads == 1, "memory has it although the second tier has not")
    second.work()
    try await replaying.replay()
    #expect(second.objects["a"]?.value == 1)
  }

  @Test("a slow second tier counts as a miss, and its writes are executed later")
  func slowTier() async throws {
    let time = ManualClock()
    let second = FaultyStorage(DictionaryStorage<String, Cached<Int>>(clock: time.clock), seed: 1)
    let memory = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock))
    let source = Source()
    let replaying = second.timeout(.seconds(1), clock: time).replaying(clock: time)
    let cache = memory.combined(with: replaying).loading(LoadPolicy(), clock: time, source.load)
    second.close()
    let reading = Task { try await cache.object(forKey: "a") }
    for _ in 0..<2 {
      await time.sleepers(1)
      await until { second.waiting == 1 }
      time.advance(by: .seconds(1))
    }
    #expect(try await reading.value == 1)
    #expect(replaying.waitingWrites == 1)
    second.open()
    try await replaying.replay()
    #expect(try await second.objectIfPresent(forKey: "a")?.value == 1)
  }
}

/// An empty store that refuses all writes, after waiting at a gate.
private final class RefusingStorage: SimpleStorage {
  let attempts = Shared(0)
  let gate = Shared<Gate?>(nil)

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? { nil }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    attempts.change { $0 += 1 }
    await gate.value?.pass()
    throw StorageError.unavailable
  }
  func removeObject(forKey key: String) async throws {}
  func removeAll() async throws {}
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { [] }
}

/// A store whose list of keys waits at a gate before it is returned.
private final class SlowListing: SimpleStorage {
  let inner = DictionaryStorage<String, Int>(["old": 0])
  let gate = Gate(holding: 1)

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    try await inner.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    try await inner.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try await inner.removeObject(forKey: key) }
  func removeAll() async throws { try await inner.removeAll() }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] {
    let keys = try await inner.keys()
    await gate.pass()
    return keys
  }
}
