import Foundation
import Strata
import TestSupport
import Testing

@Suite("Loading: fresh, stale and absent values", .timeLimit(.minutes(5)), .endsInTime)
struct FreshnessTests {
  @Test("a stored value is not loaded; a missing one is loaded once")
  func basics() async throws {
    let world = World()
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 1)
    #expect(world.source.requests[0].reason == .absent)
    #expect(world.cache.statistics.hits == 1)
    #expect(world.cache.statistics.misses == 1)
    #expect(world.cache.statistics.loads == 1)
  }

  @Test("a value is fresh for its time and is then loaded again; the loader receives the old one")
  func freshFor() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100)))
    #expect(try await world.cache.object(forKey: "a") == 1)
    world.time.advance(by: .seconds(9))
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 1)
    world.time.advance(by: .seconds(1))
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.source.requests[1].reason == .expired)
    #expect(world.source.requests[1].stale == 1)
    #expect(world.source.requests[1].attempt == 1)
  }

  @Test("a lifetime returned by the loader replaces the policy's")
  func ownTime() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10)))
    world.source.answers { _ in .value(1, freshFor: .seconds(100)) }
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(99))
    _ = try await world.cache.object(forKey: "a")
    #expect(world.source.loads == 1)
  }

  @Test("the policy's maximum age applies whatever the loader returns")
  func neverOlderThan() async throws {
    let world = World(LoadPolicy(neverOlderThan: .seconds(50)))
    world.source.answers { _ in .value(1, freshFor: .seconds(100)) }
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(50))
    _ = try await world.cache.object(forKey: "a")
    #expect(world.source.loads == 2)
  }

  @Test(
    "the maximum age does not apply to a store of plain values, which keeps no age", arguments: [true, false])
  func plainAge(_ peeks: Bool) async throws {
    let time = ManualClock()
    let source = Source()
    let plain = DictionaryStorage<String, Int>(clock: time.clock, peeks: peeks)
    let cache = plain.loading(
      LoadPolicy(freshFor: .seconds(100), neverOlderThan: .seconds(50)), clock: time, source.load)
    for _ in 0..<2 { #expect(try await cache.object(forKey: "a") == 1) }
    time.advance(by: .seconds(60))
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(source.loads == 1)
  }

  @Test("a value that is never fresh is returned and not stored (FusionCache #149)", arguments: [0, -5])
  func noTime(_ seconds: Int) async throws {
    let world = World(LoadPolicy(freshFor: .seconds(seconds)))
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.memory.count == 0)
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 2)
  }

  @Test("a value that is fresh for ever is neither refreshed nor too large a date (case 39)")
  func forEver() async throws {
    let world = World(LoadPolicy(staleFor: .seconds(10), refreshAhead: .at(0.5)))
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(1e9))
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 1)
    world.source.answers { _ in .value(2, freshFor: .seconds(Int64.max)) }
    #expect(try await world.cache.refresh(forKey: "a") == 2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.source.loads == 2)
  }

  @Test("jitter shortens only the lifetime of values (FusionCache #374)")
  func jitter() async throws {
    let world = World(
      LoadPolicy(
        freshFor: .seconds(100), jitter: 0.5, staleFor: .seconds(1000), retryAfter: .fixed(.seconds(30))))
    var ends: Set<Double> = []
    for key in 0..<50 {
      _ = try await world.cache.object(forKey: "\(key)")
      let end = try #require(try await world.cache.storedEntry(forKey: "\(key)")?.freshUntil)
      let seconds = end.timeIntervalSince(world.time.date)
      #expect(seconds >= 50 && seconds <= 100)
      ends.insert(seconds)
    }
    #expect(ends.count > 10)
    world.time.advance(by: .seconds(101))
    world.source.fails()
    _ = try await world.cache.object(forKey: "0")
    let loads = world.source.loads
    world.time.advance(by: .seconds(29.9))
    _ = try await world.cache.object(forKey: "0")
    #expect(world.source.loads == loads, "the pause after a failure has no jitter unless it is asked for")
  }

  @Test(
    "an absence has its own lifetime, is a hit of its own kind and does not exist; a write ends it (case 58)"
  )
  func absent() async throws {
    let world = World(LoadPolicy(absentFor: .seconds(10)))
    world.source.answers { _ in .absent() }
    await #expect(throws: StorageError.notFound) { try await world.cache.object(forKey: "a") }
    #expect(try await world.cache.objectIfPresent(forKey: "a") == nil)
    #expect(world.source.loads == 1)
    #expect(world.cache.statistics.absentHits == 1)
    #expect(try await !world.cache.objectExists(forKey: "a"))
    #expect(try await world.cache.keys() == [])
    world.time.advance(by: .seconds(10))
    #expect(try await world.cache.objectIfPresent(forKey: "a") == nil)
    #expect(world.source.loads == 2)
    try await world.cache.setObject(5, forKey: "a", expiry: nil)
    #expect(try await world.cache.object(forKey: "a") == 5)
    #expect(world.source.loads == 2)
  }

  @Test("an absence without a lifetime is loaded each time")
  func forgottenAbsence() async throws {
    let world = World()
    world.source.answers { _ in .absent() }
    #expect(try await world.cache.objectIfPresent(forKey: "a") == nil)
    #expect(try await world.cache.objectIfPresent(forKey: "a") == nil)
    #expect(world.source.loads == 2)
    #expect(world.memory.count == 0)
  }

  @Test("an absence from a reload removes the stored value (Caffeine #451, case 38)")
  func absentAfterValue() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100)))
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(11))
    world.source.answers { _ in .absent() }
    #expect(try await world.cache.objectIfPresent(forKey: "a") == nil)
    world.source.fails()
    await #expect(throws: Source.Down.self) { try await world.cache.object(forKey: "a") }
  }

  @Test("nil as a value differs from absence (case 59)")
  func optionalValues() async throws {
    let memory = MemoryStorage<String, Cached<Int?>>()
    let loads = Locked(0)
    let cache = memory.loading(LoadPolicy(absentFor: .seconds(100))) { (request: LoadRequest<String, Int?>) in
      loads.withLock { $0 += 1 }
      return request.key == "nil" ? .value(nil) : .absent()
    }
    #expect(try await cache.object(forKey: "nil") == nil)
    #expect(try await cache.objectExists(forKey: "nil"))
    await #expect(throws: StorageError.notFound) { try await cache.object(forKey: "absent") }
    #expect(try await !cache.objectExists(forKey: "absent"))
    #expect(loads.withLock { $0 } == 2)
  }

  @Test(
    "a value that must not be stored is returned to all waiting callers, and the next one loads (FusionCache #644, case 12)"
  )
  func once() async throws {
    let world = World()
    world.source.answers { _ in .once(7) }
    #expect(try await world.cache.object(forKey: "a") == 7)
    #expect(world.memory.count == 0)
    #expect(try await world.cache.object(forKey: "a") == 7)
    #expect(world.source.loads == 2)
  }

  @Test(
    "a result of not modified makes the value fresh again, with its tags and validator (FusionCache #515, case 41)"
  )
  func notModified() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100)))
    world.source.answers { _ in .value(1, tags: ["t"], validator: "v1") }
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(10))
    world.source.answers { request in
      #expect(request.validator == "v1")
      return .notModified()
    }
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 2)
    #expect(try await world.cache.storedEntry(forKey: "a")?.tags == ["t"])
    #expect(try await world.cache.storedEntry(forKey: "a")?.validator == "v1")
  }

  @Test("a result of not modified for an absent value is an error of the loader")
  func nothingToModify() async throws {
    let world = World()
    world.source.answers { _ in .notModified() }
    await #expect(throws: StorageError.invalidAnswer) { try await world.cache.object(forKey: "a") }
  }

  @Test("reading without the loader returns a stale value only from `entry` (case 23)")
  func withoutLoader() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100)))
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(11))
    #expect(world.cache.peek(forKey: "a") == nil)
    #expect(try await !world.cache.objectExists(forKey: "a"))
    #expect(try await world.cache.storedEntry(forKey: "a")?.value == 1)
    #expect(world.source.loads == 1)
  }
}
