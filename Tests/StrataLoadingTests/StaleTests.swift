import Strata
import TestSupport
import Testing

@Suite("Loading: stale values instead of failures", .timeLimit(.minutes(5)), .endsInTime)
struct StaleTests {
  static let policy = LoadPolicy(
    freshFor: .seconds(10), staleFor: .seconds(100), retryAfter: .fixed(.seconds(30)))

  /// A world whose value has just expired, and whose source is down.
  func outage(_ policy: LoadPolicy = policy) async throws -> World {
    let world = World(policy)
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(11))
    world.source.fails()
    return world
  }

  @Test(
    "a failed load returns the stale value, marked as such; the next load starts after the pause (case 14)")
  func pause() async throws {
    let world = try await outage()
    let entry = try #require(try await world.cache.entryIfPresent(forKey: "a"))
    #expect(entry.object == 1)
    #expect(entry.expiry.isExpired(by: world.time.clock))
    #expect(world.source.loads == 2)
    for _ in 0..<5 { #expect(try await world.cache.object(forKey: "a") == 1) }
    #expect(world.source.loads == 2)
    world.time.advance(by: .seconds(30))
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 3)
    #expect(world.source.requests[2].attempt == 2)
    #expect(world.cache.statistics.staleHits == 7)
    #expect(world.cache.statistics.failedLoads == 2)
  }

  @Test("failures do not change how long a value is kept (FusionCache #108, #212, #229, case 15)")
  func end() async throws {
    let world = try await outage()
    for _ in 0..<3 {
      #expect(try await world.cache.object(forKey: "a") == 1)
      world.time.advance(by: .seconds(31))
    }
    #expect(world.source.loads == 4)
    world.time.advance(by: .seconds(6))
    await #expect(throws: Source.Down.self) { try await world.cache.object(forKey: "a") }
    #expect(try await world.cache.storedEntry(forKey: "a") == nil)
  }

  @Test("a negative `staleFor` counts as none (FusionCache #115, case 16)")
  func negative() async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(-5)))
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(9))
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 1)
  }

  @Test("without `staleFor` the error reaches the caller, and the next caller loads again")
  func noStale() async throws {
    let world = try await outage(LoadPolicy(freshFor: .seconds(10)))
    for loads in 2...3 {
      await #expect(throws: Source.Down.self) { try await world.cache.object(forKey: "a") }
      #expect(world.source.loads == loads)
    }
  }

  @Test("a pause of zero is allowed: each read loads (FusionCache #374, case 17)")
  func noPause() async throws {
    var policy = Self.policy
    policy.retryAfter = .fixed(.zero)
    let world = try await outage(policy)
    for loads in 2...4 {
      #expect(try await world.cache.object(forKey: "a") == 1)
      #expect(world.source.loads == loads)
    }
  }

  @Test("the pause doubles up to its limit, and restarts after a success")
  func backoff() async throws {
    var policy = Self.policy
    policy.staleFor = .seconds(10_000)
    policy.retryAfter = .exponential(from: .seconds(1), to: .seconds(5))
    let world = try await outage(policy)
    for pause in [1.0, 2, 4, 5, 5] {
      let loads = world.source.loads
      #expect(try await world.cache.object(forKey: "a") == 1)
      #expect(world.source.loads == loads + 1)
      world.time.advance(by: pause - 0.01)
      #expect(try await world.cache.object(forKey: "a") == 1)
      #expect(world.source.loads == loads + 1)
      world.time.advance(by: 0.01)
    }
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    world.time.advance(by: .seconds(11))
    world.source.fails()
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.source.requests.last?.attempt == 1)
  }

  @Test(
    "a fallback for a failed load is not stored, and a stale value is preferred to it (#332, #567, case 18)"
  )
  func fallback() async throws {
    let world = World(Self.policy)
    world.source.answers { _ in .failed(Source.Down(), orElse: 9) }
    #expect(try await world.cache.object(forKey: "a") == 9)
    #expect(world.memory.count == 0)
    world.source.gives(1)
    #expect(try await world.cache.object(forKey: "a") == 1)
    world.time.advance(by: .seconds(11))
    world.source.answers { _ in .failed(Source.Down(), orElse: 9) }
    #expect(try await world.cache.object(forKey: "a") == 1)
  }

  @Test("a value made stale by `expire` is kept as long as before (FusionCache #475, case 19)")
  func expired() async throws {
    let world = World(Self.policy)
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(5))
    try await world.cache.expire(forKey: "a")
    world.source.fails()
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 2)
    world.time.advance(by: .seconds(104))
    #expect(try await world.cache.object(forKey: "a") == 1)
    world.time.advance(by: .seconds(1))
    await #expect(throws: Source.Down.self) { try await world.cache.object(forKey: "a") }
  }

  @Test(
    "`expire` is visible through another store over the same tier, which keeps the value as a fallback (FusionCache #553, case 20)"
  )
  func expiredElsewhere() async throws {
    let world = World(Self.policy)
    let other = world.memory.loading(Self.policy, clock: world.time, world.source.load)
    _ = try await world.cache.object(forKey: "a")
    try await world.cache.expire(forKey: "a")
    world.source.fails()
    #expect(try await other.object(forKey: "a") == 1)
    #expect(world.source.loads == 2)
  }

  @Test("after `removeAll` no stale value is returned (FusionCache #648, case 21)")
  func cleared() async throws {
    let world = try await outage()
    try await world.cache.removeAll()
    await #expect(throws: Source.Down.self) { try await world.cache.object(forKey: "a") }
  }

  @Test("after `expireAll` values are loaded, and returned if the load fails")
  func allExpired() async throws {
    let world = World(Self.policy)
    for key in ["a", "b"] { _ = try await world.cache.object(forKey: key) }
    try await world.cache.expireAll()
    #expect(world.cache.peek(forKey: "a") == nil)
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.source.loads == 3)
    world.source.fails()
    #expect(try await world.cache.object(forKey: "b") == 1)
    #expect(try await world.cache.keys() == ["a"])
  }

  @Test("a cancelled caller does not get a stale value (case 22)")
  func cancelled() async throws {
    let world = try await outage()
    let gate = world.source.stop()
    let caller = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    gate.open()
    await world.settled()
  }

  @Test("a CancellationError thrown by the loader itself is a failure")
  func loaderCancels() async throws {
    let world = try await outage()
    world.source.answers { _ in throw CancellationError() }
    #expect(try await world.cache.object(forKey: "a") == 1)
  }

  @Test(
    "a failing inner store counts as empty, and a value that could not be stored is returned (FusionCache #646, case 11)"
  )
  func brokenStore() async throws {
    let time = ManualClock()
    let broken = FaultyStorage(
      MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock)), seed: 1, clock: time)
    let source = Source()
    let cache = broken.loading(Self.policy, clock: time, source.load)
    broken.isDown = true
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(source.loads == 2)
    #expect(cache.statistics.storeFailures == 4)
    #expect(cache.loadsInFlight == 0)
    broken.isDown = false
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(source.loads == 3)
  }
}
