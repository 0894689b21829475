import Foundation
import TestSupport
import Testing

@testable import Strata
@testable import StrataLoading

@Suite("Loading: removals during loads", .timeLimit(.minutes(5)), .endsInTime)
struct RemovalInFlightTests {
  /// A read begins after a removal, while a load from before the removal is held at a gate with the old value.
  func joins(
    _ reader: LoadingStorage<String, Int>, _ source: Source, removing: () async throws -> Void
  ) async throws {
    let gate = source.stop()
    source.answers { _ in .value(1, tags: ["t"]) }
    let old = Task { try await reader.object(forKey: "a") }
    await gate.arrivals(1)
    source.go()
    source.answers { _ in .value(2, tags: ["t"]) }
    try await removing()
    let late = Task { try await reader.object(forKey: "a") }
    // Joined, or loaded already.
    await until { reader.engine.flights.waiting == 2 || source.loads == 2 }
    gate.open()
    #expect(try await old.value == 1)
    #expect(try await late.value == 2)
    #expect(try await reader.object(forKey: "a") == 2)
  }

  @Test("a read after a removal by tag does not return the result of an older load that it joins")
  func local() async throws {
    let world = World()
    try await joins(world.cache, world.source) { try await world.cache.remove(tagged: "t") }
  }

  @Test("nor after a removal by another machine")
  func machines() async throws {
    let tags = MemoryStorage<String, Data>()
    let source = Source()
    let cache = MemoryStorage<String, Cached<Int>>().loading(generations: Generations(tags), source.load)
    try await joins(cache, source) { try await Generations(tags).remove("t") }
  }

  @Test("nor after `expireAll` by another machine")
  func expired() async throws {
    let tags = MemoryStorage<String, Data>()
    let source = Source()
    let cache = MemoryStorage<String, Cached<Int>>().loading(generations: Generations(tags), source.load)
    try await joins(cache, source) { try await Generations(tags).replace("") }
  }

  @Test("a removal through one loading store reaches the loads of another over the same store")
  func siblings() async throws {
    let memory = MemoryStorage<String, Cached<Int>>()
    let source = Source()
    let reader = memory.loading(LoadPolicy(), source.load)
    let other = memory.loading(LoadPolicy(), Source().load)
    try await joins(reader, source) { try await other.removeAll() }
  }

  /// A change of a key, made while the store is slow to write or to remove.
  enum Change: CaseIterable {
    case set, setMany, remove, removeAll

    func make(_ cache: LoadingStorage<String, Int>) async throws {
      switch self {
      case .set: try await cache.setObject(2, forKey: "a")
      case .setMany: try await cache.setObjects(["a": 2])
      case .remove: try await cache.removeObject(forKey: "a")
      case .removeAll: try await cache.removeAll()
      }
    }
  }

  @Test("a load that begins while its key is being changed stores nothing", arguments: Change.allCases)
  func beginsDuringChange(_ change: Change) async throws {
    let base = SlowStorage(DictionaryStorage<String, Cached<Int>>())
    let source = Source()
    source.gives(1)
    let cache = base.loading(LoadPolicy(), source.load)
    let changing =
      switch change {
      case .set, .setMany: base.stop(.write)
      case .remove: base.stop(.remove)
      case .removeAll: base.stop(.removeAll)
      }
    let writer = Task { try await change.make(cache) }
    await changing.arrivals(1)
    let reader = Task { try await cache.object(forKey: "a") }
    await until { source.loads == 1 }
    changing.open()
    try await writer.value
    #expect(try await reader.value == 1)
    let stored = base.base.objects["a"]?.value
    switch change {
    case .set, .setMany: #expect(stored == 2)
    case .remove, .removeAll: #expect(stored == nil)
    }
  }

  @Test("a load that begins after a change, of which the read before it knows nothing, stores nothing")
  func beginsAfterChange() async throws {
    let base = SlowStorage(DictionaryStorage<String, Cached<Int>>())
    let source = Source()
    source.gives(1)
    let cache = base.loading(LoadPolicy(), source.load)
    let missing = base.stop(.read)
    let reader = Task { try await cache.object(forKey: "a") }
    await missing.arrivals(1)
    try await cache.setObject(2, forKey: "a")
    missing.open()
    #expect(try await reader.value == 2)
    #expect(try await cache.object(forKey: "a") == 2)
    #expect(source.loads == 0)
  }

  @Test("nor a refresh, which is not told of a value that was removed")
  func refreshesAfterChange() async throws {
    let time = ManualClock()
    let base = SlowStorage(DictionaryStorage<String, Cached<Int>>(clock: time.clock))
    let source = Source()
    source.answers { .value($0.stale ?? 1) }
    let cache = base.loading(
      LoadPolicy(freshFor: .seconds(10), refreshAhead: .at(0.5)), clock: time, source.load)
    for isRemoval in [false, true] {
      try await cache.setObject(5, forKey: "a", expiry: nil)
      time.advance(by: 8)
      let reading = base.stop(.read)
      let reader = Task { try await cache.object(forKey: "a") }
      await reading.arrivals(1)
      if isRemoval {
        try await cache.removeObject(forKey: "a")
      } else {
        try await cache.setObject(2, forKey: "a")
      }
      reading.open()
      #expect(try await reader.value == 5)
      await until { cache.loadsInFlight == 0 }
      #expect(try await cache.object(forKey: "a") == (isRemoval ? 1 : 2))
    }
  }

  @Test("a read after a removal does not return a value that a load it joins found before the removal")
  func foundBefore() async throws {
    let base = SlowStorage(DictionaryStorage<String, Cached<Int>>())
    let source = Source()
    let cache = base.loading(LoadPolicy(), source.load)
    // A read finds nothing. Another load ends meanwhile, so that the read looks again before it loads.
    let missing = base.stop(.read)
    let early = Task { try await cache.object(forKey: "a") }
    await missing.arrivals(1)
    _ = try await cache.object(forKey: "b")
    try await cache.setObject(1, forKey: "a")
    let removing = base.stop(.remove)
    let removal = Task { try await cache.removeObject(forKey: "a") }
    await removing.arrivals(1)
    let finding = base.stop(.read)
    missing.open()
    await finding.arrivals(1)
    removing.open()
    try await removal.value
    source.gives(2)
    let late = Task { try await cache.object(forKey: "a") }
    await until { cache.engine.flights.waiting == 2 || source.loads == 2 }
    finding.open()
    _ = try await early.value
    #expect(try await late.value == 2)
  }

  @Test("also over two views of one `Storage`", arguments: [false, true])
  func views(isAsync: Bool) async throws {
    let source = Source()
    if isAsync {
      let storage = AsyncStorage<String, Int>(
        front: MemoryStorage<String, TypeWrapper>(), back: MemoryStorage<String, Data>(),
        transformer: .codable(Int.self))
      let other = storage.transform(to: String.self).loading(value: { $0 })
      try await joins(storage.loading(LoadPolicy(), source.load), source) { try await other.removeAll() }
    } else {
      let storage = ObjectOrLoadTests.storage()
      let other = storage.transform(to: String.self).loading(value: { $0 })
      try await joins(storage.loading(LoadPolicy(), source.load), source) { try await other.removeAll() }
    }
  }
}
