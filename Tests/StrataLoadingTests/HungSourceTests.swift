import Strata
import TestSupport
import Testing

/// A source that does not answer must not cost every read its soft timeout, nor keep a key when it answers again.
@Suite("Loading: a source that hangs", .timeLimit(.minutes(5)), .endsInTime)
struct HungSourceTests {
  static let policy = LoadPolicy(
    freshFor: .seconds(10), staleFor: .seconds(1000), softTimeout: .seconds(1),
    retryAfter: .fixed(.seconds(20)))

  /// A world whose value has expired, and whose source hangs.
  private func hung(_ policy: LoadPolicy) async throws -> (World, Gate) {
    let world = try await TimeoutTests().expired(policy)
    return (world, world.source.stop(20))
  }

  /// Reads the key; while the read waits, the time of its soft timeout passes.
  private func read(_ world: World, arrivals: Int, at gate: Gate) async throws -> Int {
    let timeouts = world.cache.statistics.softTimeouts
    let sleepers = world.time.sleeperCount
    let ended = Locked(false)
    let caller = Task {
      defer { ended.withLock { $0 = true } }
      return try await world.cache.object(forKey: "a")
    }
    await until { ended.withLock { $0 } || world.time.sleeperCount > sleepers }
    if !ended.withLock({ $0 }) {
      await gate.arrivals(arrivals)
      world.time.advance(by: .seconds(1))
    }
    let value = try await caller.value
    #expect(world.cache.statistics.softTimeouts <= timeouts + 1)
    return value
  }

  @Test("a soft timeout counts as a failure for `retryAfter`", arguments: [AfterTimeout.finish, .cancel])
  func throttled(_ afterTimeout: AfterTimeout) async throws {
    var policy = Self.policy
    policy.afterTimeout = afterTimeout
    let (world, gate) = try await hung(policy)
    for _ in 0..<10 { #expect(try await read(world, arrivals: 1, at: gate) == 1) }
    #expect(world.cache.statistics.softTimeouts == 1)
    #expect(world.source.loads == 2)
    gate.open()
    await world.settled()
  }

  @Test("callers that time out together, and the late failure of their load, count as one failure")
  func oneFailure() async throws {
    let (world, gate) = try await hung(Self.policy)
    world.source.fails()
    let callers = (0..<5).map { _ in Task { try await world.cache.object(forKey: "a") } }
    await gate.arrivals(1)
    await world.time.sleepers(5)
    world.time.advance(by: .seconds(1))
    for caller in callers { #expect(try await caller.value == 1) }
    gate.open()
    await world.settled()
    world.time.advance(by: .seconds(20))
    world.source.gives(3)
    #expect(try await world.cache.object(forKey: "a") == 3)
    #expect(world.source.requests.last?.attempt == 2)
  }

  @Test("a load that hangs is given up: its key is loaded anew, and its late result is ignored")
  func givenUp() async throws {
    let (world, stuck) = try await hung(Self.policy)
    #expect(try await read(world, arrivals: 1, at: stuck) == 1)
    world.source.go()
    world.time.advance(by: .seconds(30))
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.cache.statistics.abandonedLoads == 1)
    world.source.gives(3)
    stuck.open()
    await until { world.source.cancelled == 1 }
    #expect(try await world.cache.object(forKey: "a") == 2)
  }

  @Test("a load that failed by itself after a timeout does not count as lost")
  func failedBefore() async throws {
    var policy = Self.policy
    policy.backgroundLimit = 1
    let (world, failing) = try await hung(policy)
    world.source.fails()
    #expect(try await read(world, arrivals: 1, at: failing) == 1)
    failing.open()
    await world.settled()
    world.time.advance(by: .seconds(30))
    let stuck = world.source.stop()
    #expect(try await read(world, arrivals: 1, at: stuck) == 1)
    world.source.go()
    world.time.advance(by: .seconds(30))
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    stuck.open()
    await world.settled()
  }

  @Test("a refresh that hangs is given up, also if loads are cancelled after a timeout")
  func refresh() async throws {
    var policy = Self.policy
    policy.afterTimeout = .cancel
    policy.refreshAhead = .at(0.5)
    let world = World(policy)
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(6))
    let stuck = world.source.stop()
    #expect(try await world.cache.object(forKey: "a") == 1)
    await stuck.arrivals(1)
    world.time.advance(by: .seconds(5))
    #expect(try await read(world, arrivals: 1, at: stuck) == 1)
    world.source.go()
    world.time.advance(by: .seconds(30))
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.cache.statistics.abandonedLoads == 1)
    stuck.open()
    await world.settled()
  }
}
