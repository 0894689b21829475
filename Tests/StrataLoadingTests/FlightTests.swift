import Strata
import TestSupport
import Testing

@testable import StrataLoading

@Suite("Loading: shared loads", .timeLimit(.minutes(5)), .endsInTime)
struct FlightTests {
  @Test("10 000 concurrent tasks on one key share one load (case 1)")
  func stampede() async throws {
    let world = World()
    let gate = world.source.stop()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<10_000 { group.addTask { try await world.cache.object(forKey: "a") } }
      await gate.arrivals(1)
      await until { world.cache.statistics.misses >= 9_000 }
      gate.open()
      for try await value in group { #expect(value == 1) }
    }
    #expect(world.source.loads == 1)
  }

  @Test("an error reaches all waiting callers; the next caller loads again (case 2)")
  func sharedError() async throws {
    let world = World()
    world.source.fails()
    let gate = world.source.stop()
    let callers = (0..<50).map { _ in Task { try await world.cache.object(forKey: "a") } }
    await until { world.cache.statistics.misses == 50 }
    await gate.arrivals(1)
    gate.open()
    for caller in callers { await #expect(throws: Source.Down.self) { try await caller.value } }
    #expect(world.source.loads <= 2, "a caller may have been counted just before it joined")
    world.source.gives(3)
    #expect(try await world.cache.object(forKey: "a") == 3)
  }

  @Test("or, if the policy says so, each waiting caller loads by itself, one after the other")
  func eachTries() async throws {
    let world = World(LoadPolicy(onError: .eachTriesAgain))
    let running = Locked((now: 0, most: 0))
    world.source.answers { _ in
      running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
      }
      await Task.yield()
      running.withLock { $0.now -= 1 }
      throw Source.Down()
    }
    let gate = world.source.stop()
    let callers = (0..<20).map { _ in Task { try await world.cache.object(forKey: "a") } }
    await gate.arrivals(1)
    await until { world.cache.statistics.misses == 20 }
    gate.open()
    for caller in callers { await #expect(throws: Source.Down.self) { try await caller.value } }
    #expect(world.source.loads == 20)
    #expect(running.withLock { $0.most } == 1)
  }

  @Test(
    "the first caller's cancellation does not affect the others; the last one's cancels the load (FusionCache #457, case 4)"
  )
  func cancellation() async throws {
    let world = World()
    let gate = world.source.stop()
    let first = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    let second = Task { try await world.cache.object(forKey: "a") }
    await until { world.cache.engine.flights.waiting == 2 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value == 1)
    #expect(world.source.cancelled == 0)

    let last = world.source.stop()
    let alone = Task { try await world.cache.object(forKey: "b") }
    await last.arrivals(1)
    alone.cancel()
    await #expect(throws: CancellationError.self) { try await alone.value }
    last.open()
    await world.settled()
    #expect(world.source.cancelled == 1)
    #expect(try await world.cache.object(forKey: "b") == 1)
  }

  @Test(
    "after a removal or expiry during a load nothing is stored, and later callers load anew (#625, otter #137, #31420, cases 6, 7, 9, 40)",
    arguments: ["remove", "batch", "clear", "expire", "expireAll", "tag"])
  func removedMeanwhile(_ change: String) async throws {
    let world = World(LoadPolicy(freshFor: .seconds(100), staleFor: .seconds(100)))
    world.source.answers { _ in .value(1, tags: ["t"]) }
    let gate = world.source.stop()
    let first = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    switch change {
    case "remove": try await world.cache.removeObject(forKey: "a")
    case "batch": try await world.cache.removeObjects(forKeys: ["a", "b"])
    case "clear": try await world.cache.removeAll()
    case "expire": try await world.cache.expire(forKey: "a")
    case "expireAll": try await world.cache.expireAll()
    default: try await world.cache.remove(tagged: "t")
    }
    if change == "tag" {
      // The tags of the loading value are unknown until the load ends, so callers can still join it.
      gate.open()
      #expect(try await first.value == 1)
      world.source.go()
    } else {
      world.source.go()
      world.source.gives(2)
      let second = Task { try await world.cache.object(forKey: "a") }
      #expect(try await second.value == 2)
      gate.open()
      #expect([1, 2].contains(try await first.value))
    }
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.source.loads == 2)
  }

  @Test("a value written during a load stays (case 8)")
  func writtenMeanwhile() async throws {
    let world = World()
    let gate = world.source.stop()
    let first = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    try await world.cache.setObject(5, forKey: "a", expiry: nil)
    #expect(try await world.cache.object(forKey: "a") == 5)
    gate.open()
    #expect(try await first.value == 1)
    #expect(try await world.cache.object(forKey: "a") == 5)
    #expect(world.cache.statistics.overtakenLoads == 1)
  }

  @Test(
    "a loader that requests its own key throws, and so does one of two that need each other's keys (case 10)",
    .timeLimit(.minutes(1)))
  func recursion() async throws {
    let caches = Shared<LoadingStorage<String, Int>?>(nil)
    let cache = MemoryStorage<String, Cached<Int>>().loading(value: { (key: String) async throws -> Int in
      let cache = try #require(caches.value)
      return switch key {
      case "self": try await cache.object(forKey: "self")
      case "a": try await cache.object(forKey: "b")
      case "b": try await cache.object(forKey: "a")
      case "chain": try await cache.object(forKey: "end") + 1
      default: 1
      }
    })
    caches.change { $0 = cache }
    defer { caches.change { $0 = nil } }
    await #expect(throws: StorageError.deadlock) { try await cache.object(forKey: "self") }
    await #expect(throws: StorageError.deadlock) { try await cache.object(forKey: "a") }
    #expect(try await cache.object(forKey: "chain") == 2)
    #expect(cache.loadsInFlight == 0)
  }

  @Test(
    "unknown keys are loaded concurrently, each once, even if requested twice (case 56)")
  func many() async throws {
    let world = World()
    world.source.answers { request in request.key == "none" ? .absent() : .value(request.key.count) }
    try await world.cache.setObject(9, forKey: "set", expiry: nil)
    let found = try await world.cache.objects(forKeys: ["a", "bb", "a", "set", "none"])
    #expect(found == ["a": 1, "bb": 2, "set": 9])
    #expect(world.source.loads == 3)
  }
}
