import Foundation
import TestSupport
import Testing

@testable import Strata
@testable import StrataLoading

@Suite("Loading: tags and generations", .timeLimit(.minutes(5)), .endsInTime)
struct TagTests {
  @Test("a value whose expiry is changed keeps its tags and its validator; a missing one is not loaded")
  func touched() async throws {
    let world = World()
    world.source.answers { _ in .value(1, freshFor: .seconds(10), tags: ["t"], validator: "v") }
    _ = try await world.cache.object(forKey: "a")
    #expect(try await world.cache.change("a", .touch(.seconds(100)), []))
    #expect(try await world.cache.change("b", .touch(.seconds(100)), []) == false)
    world.time.advance(by: .seconds(50))
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 1)
    let stored = try await world.cache.storedEntry(forKey: "a")
    #expect(stored?.tags == ["t"] && stored?.validator == "v")
    try await world.cache.remove(tagged: "t")
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    world.time.advance(by: .seconds(100))
    #expect(try await world.cache.change("a", .touch(.seconds(100)), []), "it does not expire")
    world.time.advance(by: .seconds(100))
    #expect(try await world.cache.change("a", .touch(.seconds(100)), []) == false, "it is no longer fresh")
  }

  @Test("removing a tag removes exactly the values that have it, without leaving stale ones")
  func remove() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(100), staleFor: .seconds(100)))
    world.source.answers { request in .value(1, tags: request.key.hasPrefix("t") ? ["t", "x"] : ["x"]) }
    for key in ["t1", "t2", "u"] { _ = try await world.cache.object(forKey: key) }
    try await world.cache.remove(tagged: "t")
    #expect(try await Set(world.cache.keys()) == ["u"])
    #expect(try await world.cache.storedEntry(forKey: "t1") == nil)
    world.source.fails()
    await #expect(throws: Source.Down.self) { try await world.cache.object(forKey: "t1") }
    #expect(try await world.cache.object(forKey: "u") == 1)
  }

  @Test("tags are made of strings: of one, of several, of an interpolation")
  func strings() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(100)))
    let (team, several) = ("red", ["team/red", "team/blue"])
    world.source.answers { request in
      switch request.key {
      case "one": .value(1, tags: [team])
      case "two": .value(1, tags: several)
      default: .value(1, tags: ["team/\(team)", "x"])
      }
    }
    for key in ["one", "two", "three"] { _ = try await world.cache.object(forKey: key) }
    try await world.cache.remove(tagged: team)
    #expect(try await Set(world.cache.keys()) == ["two", "three"])
    try await world.cache.remove(tagged: several[1])
    #expect(try await Set(world.cache.keys()) == ["three"])
    try await world.cache.remove(tagged: "team/\(team)")
    #expect(try await world.cache.keys().isEmpty)
    #expect(Tag("a") == "a")
  }

  @Test("each load replaces the tags of its value (FusionCache #515, case 41)")
  func changing() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10)))
    world.source.answers { _ in .value(1, tags: ["old"]) }
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(10))
    world.source.answers { _ in .value(2, tags: ["new"]) }
    _ = try await world.cache.object(forKey: "a")
    try await world.cache.remove(tagged: "old")
    #expect(try await world.cache.object(forKey: "a") == 2)
    try await world.cache.remove(tagged: "new")
    _ = try await world.cache.object(forKey: "a")
    #expect(world.source.loads == 3)
  }

  @Test(
    "two machines that share a store and generations, one a quarter of an hour behind (FusionCache #319, case 42)"
  )
  func machines() async throws {
    let shared = MemoryStorage<String, Data>()
    let tags = MemoryStorage<String, Data>()
    let source = Locked(1)
    func machine(_ time: ManualClock) -> LoadingStorage<String, Data> {
      let store = FaultyStorage(shared, seed: 1)
      return store.loading(LoadPolicy(), clock: time, generations: Generations(tags)) { _ in
        .value(Data([UInt8(source.withLock { $0 })]), tags: ["t"])
      }
    }
    let ahead = machine(ManualClock())
    let behind = machine(ManualClock(Date(timeIntervalSince1970: 1_000_000_000 - 900)))
    #expect(try await ahead.object(forKey: "a") == Data([1]))
    #expect(try await behind.object(forKey: "a") == Data([1]))
    source.withLock { $0 = 2 }
    try await behind.remove(tagged: "t")
    #expect(try await ahead.object(forKey: "a") == Data([2]))
    source.withLock { $0 = 3 }
    try await ahead.expireAll()
    #expect(try await behind.object(forKey: "a") == Data([3]))
  }

  @Test("a stored value is fresh, also with shared generations and after `expireAll`")
  func written() async throws {
    let tags = FaultyStorage(MemoryStorage<String, Data>(), seed: 1)
    let source = Source()
    let cache = MemoryStorage<String, Cached<Int>>().loading(generations: Generations(tags), source.load)
    for value in [5, 6] {
      try await cache.setObject(value, forKey: "a", expiry: nil)
      try await cache.setObjects(["b": value], expiry: nil)
      #expect(try await cache.object(forKey: "a") == value)
      #expect(try await cache.object(forKey: "b") == value)
      try await cache.expireAll()
    }
    #expect(source.loads == 0)
    #expect(try await cache.object(forKey: "a") == 1)
  }

  @Test("a lost generation counts as replaced (case 43)")
  func lost() async throws {
    let tags = MemoryStorage<String, Data>()
    let memory = MemoryStorage<String, Cached<Int>>()
    let source = Source()
    let cache = memory.loading(generations: Generations(tags), source.load)
    source.answers { _ in .value(1, tags: ["t"]) }
    _ = try await cache.object(forKey: "a")
    _ = try await cache.object(forKey: "a")
    #expect(source.loads == 1)
    try await tags.removeObject(forKey: "t")
    _ = try await cache.object(forKey: "a")
    #expect(source.loads == 2)
    try await tags.removeObject(forKey: "")
    _ = try await cache.object(forKey: "a")
    #expect(source.loads == 3)
    _ = try await cache.object(forKey: "a")
    #expect(source.loads == 3)
  }

  @Test("if the store of generations fails, values are stale, and are returned if the source fails too")
  func brokenGenerations() async throws {
    let time = ManualClock()
    let tags = FaultyStorage(MemoryStorage<String, Data>(), seed: 1)
    let source = Source()
    let cache = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock)).loading(
      LoadPolicy(freshFor: .seconds(100), staleFor: .seconds(100)), clock: time,
      generations: Generations(tags),
      source.load)
    _ = try await cache.object(forKey: "a")
    tags.isDown = true
    source.fails()
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(source.loads == 2)
    await #expect(throws: FaultyStorage<MemoryStorage<String, Data>>.Fault.self) {
      try await cache.remove(tagged: "t")
    }
  }

  @Test("values without memory in front obey tags as well (FusionCache #419, #573, case 44)")
  func withoutMemory() async throws {
    let bytes = FaultyStorage(MemoryStorage<String, Data>(), seed: 1)
    let loads = Locked(0)
    let cache = bytes.loading { _ in
      loads.withLock { $0 += 1 }
      return .value(Data(), tags: ["t"])
    }
    _ = try await cache.object(forKey: "a")
    _ = try await cache.object(forKey: "a")
    try await cache.remove(tagged: "t")
    _ = try await cache.object(forKey: "a")
    #expect(loads.withLock { $0 } == 2)
  }

  @Test("a removal does not affect values loaded after it (FusionCache #627, case 45)")
  func after() async throws {
    let world = World()
    world.source.answers { _ in .value(1, tags: ["t"]) }
    try await world.cache.remove(tagged: "t")
    _ = try await world.cache.object(forKey: "a")
    _ = try await world.cache.object(forKey: "a")
    #expect(world.source.loads == 1)
  }

  @Test(
    "after a removal during a read of the tag, later callers load anew, and their values stay (dotnet/extensions #7771, case 46)"
  )
  func pendingRead() async throws {
    let tags = FaultyStorage(MemoryStorage<String, Data>(), seed: 1)
    let source = Source()
    let cache = MemoryStorage<String, Cached<Int>>().loading(generations: Generations(tags), source.load)
    source.answers { _ in .value(1, tags: ["t"]) }
    _ = try await cache.object(forKey: "a")
    // Holds a read that has begun to read the tag's generation.
    tags.close()
    let pending = Task { try await cache.object(forKey: "a") }
    await until { tags.waiting == 1 }
    // Another machine removes the tag meanwhile.
    try await Generations(tags.inner).replace("t")
    source.answers { _ in .value(2, tags: ["t"]) }
    let later = Task { try await cache.object(forKey: "a") }
    await until { tags.waiting == 2 }
    tags.open()
    #expect(try await later.value == 2)
    #expect([1, 2].contains(try await pending.value))
    #expect(try await cache.object(forKey: "a") == 2)
    #expect(source.loads == 2, "a value loaded after the removal is not dropped by the older read")
  }

  @Test("a tag is removed while a load reads its generation (case 46)")
  func pendingLoad() async throws {
    let tags = FaultyStorage(MemoryStorage<String, Data>(), seed: 1)
    let source = Source()
    let time = ManualClock()
    let cache = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock)).loading(
      LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100)), clock: time,
      generations: Generations(tags), source.load)
    source.answers { _ in .value(1, tags: ["t"]) }
    _ = try await cache.object(forKey: "a")
    time.advance(by: .seconds(10))
    let gate = source.stop()
    let load = Task { try await cache.object(forKey: "a") }
    await gate.arrivals(1)
    tags.close()
    let removal = Task { try await cache.remove(tagged: "t") }
    await until { tags.waiting == 1 }
    gate.open()
    source.go()
    #expect(try await load.value == 1)
    tags.open()
    try await removal.value
    source.gives(2)
    #expect(try await cache.object(forKey: "a") == 2)
    #expect(source.loads == 3)
  }

  @Test("a value can have 10 000 tags (case 47)")
  func manyTags() async throws {
    let world = World()
    let tags = Set((0..<10_000).map { Tag("t\($0)") })
    world.source.answers { _ in .value(1, tags: tags) }
    _ = try await world.cache.object(forKey: "a")
    _ = try await world.cache.object(forKey: "a")
    #expect(world.source.loads == 1)
    try await world.cache.remove(tagged: "t5000")
    _ = try await world.cache.object(forKey: "a")
    #expect(world.source.loads == 2)
  }

  @Test("a store of plain values refuses tags, with advice")
  func plain() async throws {
    let cache = MemoryStorage<String, Int>().loading { (_: LoadRequest<String, Int>) in .value(1, tags: ["t"])
    }
    await #expect(throws: StorageError.invalidConfiguration) { try await cache.object(forKey: "a") }
    await #expect(throws: StorageError.invalidConfiguration) { try await cache.remove(tagged: "t") }
    await #expect(throws: StorageError.invalidConfiguration) { try await cache.expireAll() }
  }
}
