import Strata
import StrataCore
import TestSupport
import Testing

@testable import StrataLoading

@Suite("Loading many keys at once", .timeLimit(.minutes(5)), .endsInTime)
struct BulkTests {
  private struct World: Sendable {
    let time = ManualClock()
    let source = BulkSource()
    let memory: MemoryStorage<String, Cached<Int>>
    let cache: LoadingStorage<String, Int>

    init(_ policy: LoadPolicy = LoadPolicy()) {
      memory = MemoryStorage(config: MemoryConfig(clock: time.clock))
      cache = memory.loading(policy, clock: time, many: source.load)
    }

    func settled() async { await until { cache.loadsInFlight == 0 } }
  }

  static func keys(_ range: Range<Int>) -> [String] { range.map { String(repeating: "k", count: $0 + 1) } }

  @Test(
    "of 100 keys, 40 are stored and 10 in flight: one call loads 50, none twice (case 53, otter BulkGet)"
  )
  func partialJoin() async throws {
    let world = World()
    let keys = Self.keys(0..<100)
    for key in keys[0..<40] { try await world.cache.setObject(1000, forKey: key) }
    let gate = world.source.stop(11)
    let others = keys[40..<50].map { key in Task { try await world.cache.object(forKey: key) } }
    await gate.arrivals(10)
    async let found = world.cache.objects(forKeys: keys)
    await gate.arrivals(11)
    gate.open()
    let values = try await found
    for other in others { _ = try await other.value }
    #expect(values.count == 100)
    #expect(keys[0..<40].allSatisfy { values[$0] == 1000 })
    #expect(keys[40..<100].allSatisfy { values[$0] == $0.count })
    #expect(world.source.calls.count == 11)
    #expect(world.source.calls.last == keys[50..<100].sorted())
    #expect(world.cache.statistics.loads == 60)
  }

  @Test("keys missing from the loader's result are absent, additional ones are stored (case 54, Caffeine)")
  func fewerAndMore() async throws {
    let world = World(LoadPolicy(absentFor: .seconds(10)))
    world.source.answers { _ in ["a": .value(1), "extra": .value(9)] }
    #expect(try await world.cache.objects(forKeys: ["a", "b"]) == ["a": 1])
    #expect(try await world.cache.object(forKey: "extra") == 9)
    #expect(try await world.cache.objectIfPresent(forKey: "b") == nil)
    #expect(world.source.calls == [["a", "b"]])
  }

  @Test("an additional value does not overwrite a write made during the load")
  func extraIsOvertaken() async throws {
    let world = World()
    world.source.answers { _ in ["a": .value(1), "extra": .value(9)] }
    let gate = world.source.stop()
    async let found = world.cache.objects(forKeys: ["a"])
    await gate.arrivals(1)
    try await world.cache.setObject(5, forKey: "extra")
    gate.open()
    #expect(try await found == ["a": 1])
    #expect(try await world.cache.object(forKey: "extra") == 5)
  }

  @Test("an additional value does not replace the value of a load that began and ended during the call")
  func extraIsOlder() async throws {
    let world = World()
    world.source.answers { _ in ["a": .value(1), "extra": .value(9), "other": .value(8)] }
    let gate = world.source.stop()
    async let found = world.cache.objects(forKeys: ["a"])
    await gate.arrivals(1)
    world.source.answers { _ in ["extra": .value(10)] }
    #expect(try await world.cache.object(forKey: "extra") == 10)
    gate.open()
    #expect(try await found == ["a": 1])
    #expect(try await world.cache.object(forKey: "extra") == 10)
    #expect(try await world.cache.object(forKey: "other") == 8)
    #expect(world.source.calls == [["a"], ["extra"]])
  }

  @Test("a failed call does not affect the keys that were found (case 55, sturdyc)")
  func partialResult() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(60)))
    try await world.cache.setObject(1, forKey: "old")
    world.time.advance(by: .seconds(20))
    try await world.cache.setObject(2, forKey: "new")
    world.source.answers { _ in throw Source.Down() }
    let result = try await world.cache.results(forKeys: ["new", "old", "none", "other"])
    #expect(result.objects == ["new": 2, "old": 1])
    #expect(result.entries["old"]?.expiry.isExpired(by: world.time.clock) == true)
    #expect(Set(result.errors.keys) == ["none", "other"])
    #expect(result.errors["none"] is Source.Down)
    await #expect(throws: Source.Down.self) { try await world.cache.objects(forKeys: ["new", "none"]) }
  }

  @Test("a key whose result is an error fails alone")
  func oneFails() async throws {
    let world = World()
    world.source.answers { _ in ["a": .value(1), "b": .failed(Source.Down()), "c": .once(3)] }
    let result = try await world.cache.results(forKeys: ["a", "b", "c", "d"])
    #expect(result.objects == ["a": 1, "c": 3])
    #expect(Set(result.errors.keys) == ["b"])
    await #expect(try world.memory.keys() == ["a"])
  }

  @Test("a key that is requested twice is loaded once (case 56)")
  func duplicates() async throws {
    let world = World()
    #expect(try await world.cache.objects(forKeys: ["a", "bb", "a", "a"]) == ["a": 1, "bb": 2])
    #expect(world.source.calls == [["a", "bb"]])
  }

  @Test("a call gets at most the allowed number of keys; reads of single keys join it (case 57)")
  func chunks() async throws {
    let world = World(LoadPolicy(bulkLimit: 4))
    let keys = Self.keys(0..<10)
    let gate = world.source.stop(3)
    async let found = world.cache.objects(forKeys: keys)
    await gate.arrivals(3)
    let joining = Task { try await world.cache.object(forKey: keys[7]) }
    await until { world.cache.statistics.misses == 11 }
    gate.open()
    #expect(try await found.count == 10)
    #expect(try await joining.value == 8)
    #expect(world.source.calls.map(\.count).sorted() == [2, 4, 4])
    #expect(Set(world.source.calls.joined()) == Set(keys))
  }

  @Test("the call is cancelled when the last caller of any of its keys is cancelled")
  func cancellation() async throws {
    let world = World()
    let gate = world.source.stop()
    let bulk = Task { try await world.cache.objects(forKeys: ["a", "bb", "ccc"]) }
    await gate.arrivals(1)
    let joining = Task { try await world.cache.object(forKey: "bb") }
    await until { world.cache.statistics.misses == 4 }
    await until { world.cache.engine.flights.waiting == 2 }
    bulk.cancel()
    await #expect(throws: CancellationError.self) { try await bulk.value }
    #expect(world.source.cancelled == 0)
    joining.cancel()
    await #expect(throws: CancellationError.self) { try await joining.value }
    gate.open()
    await world.settled()
    #expect(world.source.cancelled == 1)
    await #expect(try world.memory.keys().isEmpty)
  }

  @Test("a removal during the call affects only its key")
  func removal() async throws {
    let world = World()
    let gate = world.source.stop()
    async let found = world.cache.objects(forKeys: ["a", "bb", "ccc"])
    await gate.arrivals(1)
    try await world.cache.removeObject(forKey: "bb")
    gate.open()
    #expect(try await found == ["a": 1, "bb": 2, "ccc": 3])
    await #expect(try world.memory.keys().sorted() == ["a", "ccc"])
    #expect(world.cache.statistics.overtakenLoads == 1)
  }

  @Test("callers of a slow call get their stale value, or an error")
  func timeouts() async throws {
    let world = World(
      LoadPolicy(
        freshFor: .seconds(10), staleFor: .seconds(60), softTimeout: .seconds(1), hardTimeout: .seconds(5)))
    try await world.cache.setObject(7, forKey: "old")
    world.time.advance(by: .seconds(20))
    let gate = world.source.stop()
    let reading = Task { try await world.cache.results(forKeys: ["old", "new"]) }
    await gate.arrivals(1)
    await world.time.sleepers(1)
    // Both times pass at once, so that it does not matter which key is waited for first.
    world.time.advance(by: .seconds(5))
    let result = try await reading.value
    #expect(result.objects == ["old": 7])
    #expect(result.errors["new"] as? StorageError == .timedOut)
    gate.open()
    await world.settled()
    #expect(try await world.cache.objects(forKeys: ["old", "new"]) == ["old": 3, "new": 3])
    #expect(world.source.calls == [["new", "old"]])
  }

  @Test("a bulk loader that requests one of its own keys throws instead of hanging (case 10)")
  func recursion() async throws {
    let world = World()
    world.source.answers { requests in
      #expect(requests.count == 2)
      _ = try await world.cache.object(forKey: "bb")
      return [:]
    }
    let result = try await world.cache.results(forKeys: ["a", "bb"])
    #expect(Set(result.errors.keys) == ["a", "bb"])
    #expect(result.errors.values.allSatisfy { $0 as? StorageError == .deadlock })
  }

  @Test("refreshes of many reads are gathered into one call, after a time or a number (sturdyc's coalescing)")
  func gathering() async throws {
    let policy = LoadPolicy(
      freshFor: .seconds(100), refreshAhead: .at(0.5), bulkLimit: 3, refreshGathering: .seconds(1))
    let world = World(policy)
    let keys = Self.keys(0..<5)
    _ = try await world.cache.objects(forKeys: keys)
    let before = world.source.calls.count
    world.time.advance(by: .seconds(60))
    for key in keys[0..<2] { _ = try await world.cache.object(forKey: key) }
    #expect(world.source.calls.count == before)
    await world.time.sleepers(1)
    world.time.advance(by: .seconds(1))
    await world.settled()
    #expect(world.source.calls.dropFirst(before).map { $0 } == [Array(keys[0..<2])])
    for key in keys[2..<5] { _ = try await world.cache.object(forKey: key) }
    await world.settled()
    #expect(world.source.calls.last == Array(keys[2..<5]))
    #expect(world.source.calls.count == before + 2)
  }

  @Test("a caller that needs a value whose refresh is being gathered does not wait")
  func gatheredIsNeeded() async throws {
    let policy = LoadPolicy(freshFor: .seconds(100), refreshAhead: .at(0.5), refreshGathering: .seconds(1000))
    let world = World(policy)
    _ = try await world.cache.objects(forKeys: ["a", "bb"])
    world.time.advance(by: .seconds(60))
    _ = try await world.cache.objects(forKeys: ["a", "bb"])
    world.time.advance(by: .seconds(60))
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.calls == [["a", "bb"], ["a", "bb"]])
  }

  @Test("a key that is written and due again while its refresh is gathered is requested once")
  func gatheredTwice() async throws {
    let policy = LoadPolicy(freshFor: .seconds(100), refreshAhead: .at(0.5), refreshGathering: .seconds(100))
    let world = World(policy)
    world.source.answers { requests in Dictionary(requests.map { ($0.key, .value(9)) }) { $1 } }
    let keys = ["a", "bb"]
    _ = try await world.cache.objects(forKeys: keys)
    world.time.advance(by: .seconds(60))
    _ = try await world.cache.objects(forKeys: keys)
    await world.time.sleepers(1)
    try await world.cache.setObject(5, forKey: "a")
    world.time.advance(by: .seconds(60))
    #expect(try await world.cache.object(forKey: "a") == 5)
    world.time.advance(by: .seconds(40))
    await world.settled()
    #expect(world.source.calls == [keys, keys])
    #expect(try await world.cache.object(forKey: "a") == 9)
  }

  @Test("a loader of single keys loads many keys concurrently")
  func single() async throws {
    let time = ManualClock()
    let source = Source()
    let cache = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock))
      .loading(clock: time, source.load)
    let gate = source.stop(3)
    async let found = cache.objects(forKeys: ["a", "b", "c"])
    await gate.arrivals(3)
    gate.open()
    #expect(try await found.count == 3)
  }

  @Test("the inner store is read once for all keys, and the loaded values are stored in one batch")
  func batches() async throws {
    let store = BatchStore()
    let source = BulkSource()
    let cache = store.loading(many: source.load)
    #expect(try await cache.objects(forKeys: ["a", "bb", "ccc"]) == ["a": 1, "bb": 2, "ccc": 3])
    #expect(store.calls.withLock { $0 } == ["entries 3", "setObjects 3"])
  }
}
