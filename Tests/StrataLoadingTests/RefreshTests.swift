import TestSupport
import Testing

@testable import Strata
@testable import StrataLoading

@Suite("Loading: refresh ahead", .timeLimit(.minutes(5)), .endsInTime)
struct RefreshTests {
  static let policy = LoadPolicy(
    freshFor: .seconds(10), staleFor: .seconds(100), refreshAhead: .at(0.8), retryAfter: .fixed(.seconds(1)))

  /// A world whose value 1 is to be refreshed, and whose source gives 2 after the gate.
  func due(_ policy: LoadPolicy = policy) async throws -> (World, Gate) {
    let world = World(policy)
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(8))
    world.source.gives(2)
    return (world, world.source.stop())
  }

  @Test(
    "one refresh at a time runs, for which no reader waits; then its value is returned (FusionCache #426, cases 30, 32, 36)"
  )
  func one() async throws {
    let (world, gate) = try await due()
    for _ in 0..<10 { #expect(try await world.cache.object(forKey: "a") == 1) }
    await gate.arrivals(1)
    #expect(world.source.loads == 2)
    #expect(world.source.requests[1].reason == .ahead)
    #expect(world.source.requests[1].deadline == nil)
    gate.open()
    await world.settled()
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.cache.statistics.backgroundLoads == 1)
    #expect(world.source.loads == 2)
  }

  @Test("no value is refreshed before its time")
  func early() async throws {
    let world = World(Self.policy)
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(7.9))
    _ = try await world.cache.object(forKey: "a")
    #expect(world.source.loads == 1)
  }

  @Test("the reader's cancellation does not affect the refresh (FusionCache #218, case 31)")
  func readerCancelled() async throws {
    let (world, gate) = try await due()
    let reader = Task { try await world.cache.object(forKey: "a") }
    #expect(try await reader.value == 1)
    reader.cancel()
    await gate.arrivals(1)
    gate.open()
    await world.settled()
    #expect(world.source.cancelled == 0)
    #expect(try await world.cache.object(forKey: "a") == 2)
  }

  @Test(
    "a refresh that fails leaves the value and the key free, and is tried again after the pause (#647, Caffeine, cases 3, 33)"
  )
  func failure() async throws {
    let world = World(Self.policy)
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(8))
    world.source.fails()
    #expect(try await world.cache.object(forKey: "a") == 1)
    await world.settled()
    #expect(world.source.loads == 2)
    for _ in 0..<5 { #expect(try await world.cache.object(forKey: "a") == 1) }
    #expect(world.source.loads == 2)
    world.time.advance(by: .seconds(1))
    #expect(try await world.cache.object(forKey: "a") == 1)
    await until { world.source.loads == 3 }
    await world.settled()
  }

  @Test(
    "a removal during a refresh takes precedence (FusionCache #628, case 34)",
    arguments: ["remove", "tag", "set", "clear", "expire"])
  func removed(_ change: String) async throws {
    let world = World(Self.policy)
    world.source.answers { _ in .value(1, tags: ["t"]) }
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(8))
    world.source.answers { _ in .value(2, tags: ["t"]) }
    let gate = world.source.stop()
    _ = try await world.cache.object(forKey: "a")
    await gate.arrivals(1)
    switch change {
    case "remove": try await world.cache.removeObject(forKey: "a")
    case "tag": try await world.cache.remove(tagged: "t")
    case "set": try await world.cache.setObject(9, forKey: "a", expiry: nil)
    case "expire": try await world.cache.expire(forKey: "a")
    default: try await world.cache.removeAll()
    }
    gate.open()
    await world.settled()
    #expect(world.cache.statistics.overtakenLoads == 1)
    let stored = try await world.cache.storedEntry(forKey: "a")?.value
    #expect(stored == (change == "set" ? 9 : change == "expire" ? 1 : nil))
  }

  @Test(
    "a value may expire during its refresh: later callers then wait for the refresh (Caffeine #373, case 37)")
  func expiresMeanwhile() async throws {
    let (world, gate) = try await due()
    #expect(try await world.cache.object(forKey: "a") == 1)
    await gate.arrivals(1)
    world.time.advance(by: .seconds(3))
    let reader = Task { try await world.cache.object(forKey: "a") }
    await until { world.cache.statistics.misses == 2 }
    gate.open()
    #expect(try await reader.value == 2)
    #expect(world.source.loads == 2)
  }

  @Test("no more refreshes run than the policy allows; skipped ones run later")
  func bounded() async throws {
    var policy = Self.policy
    policy.backgroundLimit = 2
    let world = World(policy)
    for key in ["a", "b", "c"] { _ = try await world.cache.object(forKey: key) }
    world.time.advance(by: .seconds(8))
    let gate = world.source.stop(3)
    for key in ["a", "b", "c"] { _ = try await world.cache.object(forKey: key) }
    await gate.arrivals(2)
    #expect(world.source.loads == 5)
    #expect(world.cache.statistics.skippedRefreshes == 1)
    gate.open()
    await world.settled()
    _ = try await world.cache.object(forKey: "c")
    await until { world.source.loads == 6 }
    await world.settled()
  }

  @Test(
    "between two fractions of the lifetime: never before the first, always after the second, at different times for different values"
  )
  func between() async throws {
    var policy = Self.policy
    policy.refreshAhead = .between(0.5, 0.9)
    let world = World(policy)
    for key in 0..<100 {
      _ = try await world.cache.object(forKey: "\(key)")
      world.time.advance(by: .milliseconds(1))
    }
    world.time.advance(by: .seconds(4.8))
    for key in 0..<100 { _ = try await world.cache.object(forKey: "\(key)") }
    #expect(world.source.loads == 100)
    world.time.advance(by: .seconds(2))
    for key in 0..<100 { _ = try await world.cache.object(forKey: "\(key)") }
    await world.settled()
    #expect(world.source.loads > 120 && world.source.loads < 180)
    world.time.advance(by: .seconds(2.2))
    for key in 0..<100 { _ = try await world.cache.object(forKey: "\(key)") }
    await world.settled()
    #expect(world.source.loads >= 200)
  }

  @Test(
    "XFetch: with a load of 400 ms, a refresh has the probability e⁻ᵗᐟᵟ at t before the end",
    arguments: [(0.4, 0.368), (1.0, 0.082), (2.0, 0.0067)])
  func probabilistic(_ left: Double, _ probability: Double) async throws {
    let policy = LoadPolicy(freshFor: .seconds(10), refreshAhead: .probabilistic(beta: 1))
    var refreshes = 0
    var random = SeededGenerator(seed: 42)
    for _ in 0..<20_000 {
      let cached = Cached(1, end: 10, began: 0, loadTime: 0.4)
      let number = 1 - Double.random(in: 0..<1, using: &random)
      refreshes += policy.refreshes(cached, now: 10 - left, random: number) ? 1 : 0
    }
    let share = Double(refreshes) / 20_000
    #expect(abs(share - probability) < 0.012, "\(share)")
  }

  @Test("refresh reloads a fresh value, and keeps it if the load fails")
  func asked() async throws {
    let world = World(Self.policy)
    _ = try await world.cache.object(forKey: "a")
    world.source.gives(2)
    #expect(try await world.cache.refresh(forKey: "a") == 2)
    #expect(world.source.requests[1].reason == .asked)
    world.source.fails()
    await #expect(throws: Source.Down.self) { try await world.cache.refresh(forKey: "a") }
    #expect(try await world.cache.object(forKey: "a") == 2)
  }

  @Test("refresh ends a remembered absence, also by a value that is not stored")
  func askedForAbsent() async throws {
    let world = World(LoadPolicy(absentFor: .seconds(60)))
    world.source.answers { _ in .absent() }
    #expect(try await world.cache.objectIfPresent(forKey: "a") == nil)
    world.source.answers { _ in .value(2, freshFor: .zero) }
    #expect(try await world.cache.refresh(forKey: "a") == 2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.source.loads == 3)
  }

  @Test("refresh does not return what a load has read before it; all callers of refresh share the next load")
  func askedDuringLoad() async throws {
    let world = World(Self.policy)
    let first = world.source.stop()
    let old = Task { try await world.cache.object(forKey: "a") }
    await first.arrivals(1)
    world.source.gives(2)
    let callers = (0..<10).map { _ in Task { try await world.cache.refresh(forKey: "a") } }
    await until { world.cache.engine.flights.waiting == 11 }
    let second = world.source.stop()
    first.open()
    #expect(try await old.value == 1)
    await second.arrivals(1)
    await until { world.cache.engine.flights.waiting == 10 }
    second.open()
    for caller in callers { #expect(try await caller.value == 2) }
    #expect(world.source.loads == 2)
    #expect(try await world.cache.object(forKey: "a") == 2)
  }
}
