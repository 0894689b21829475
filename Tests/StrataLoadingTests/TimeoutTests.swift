import Foundation
import Strata
import TestSupport
import Testing

@testable import StrataLoading

@Suite("Loading: timeouts", .timeLimit(.minutes(5)), .endsInTime)
struct TimeoutTests {
  static let policy = LoadPolicy(
    freshFor: .seconds(10), staleFor: .seconds(100), softTimeout: .seconds(1), hardTimeout: .seconds(5))

  /// A world whose value has expired, and whose source gives 2.
  func expired(_ policy: LoadPolicy = policy) async throws -> World {
    let world = World(policy)
    _ = try await world.cache.object(forKey: "a")
    world.time.advance(by: .seconds(11))
    world.source.gives(2)
    return world
  }

  @Test(
    "the soft timeout returns a stale value, and the load ends in the background (FusionCache #267, cases 24, 25)"
  )
  func soft() async throws {
    let world = try await expired()
    let gate = world.source.stop()
    let caller = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    await world.time.sleepers(1)
    world.time.advance(by: .seconds(1))
    #expect(try await caller.value == 1)
    #expect(world.cache.statistics.softTimeouts == 1)
    #expect(world.cache.loadsInFlight == 1)
    gate.open()
    await world.settled()
    #expect(world.source.cancelled == 0)
    #expect(try await world.cache.object(forKey: "a") == 2)
    #expect(world.source.loads == 2)
  }

  @Test("without a stale value the soft timeout does not apply, and the hard timeout throws (case 24)")
  func hard() async throws {
    let world = World(Self.policy)
    let gate = world.source.stop()
    let caller = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    await world.time.sleepers(1)
    world.time.advance(by: .seconds(1))
    await Task.yield()
    #expect(world.cache.statistics.softTimeouts == 0)
    world.time.advance(by: .seconds(4))
    await #expect(throws: StorageError.timedOut) { try await caller.value }
    #expect(world.cache.statistics.hardTimeouts == 1)
    gate.open()
    await world.settled()
    #expect(try await world.cache.object(forKey: "a") == 1)
    #expect(world.source.loads == 1)
  }

  @Test("with a timeout of zero no load starts")
  func zero() async throws {
    let world = World(LoadPolicy(hardTimeout: .zero))
    await #expect(throws: StorageError.timedOut) { try await world.cache.object(forKey: "a") }
    #expect(world.source.loads == 0)
  }

  @Test(
    "with a soft timeout of zero the stale value is returned at once, and one load replaces it",
    arguments: [["a"], ["a", "b"]])
  func softZero(_ keys: [String]) async throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100), softTimeout: .zero))
    func values() async throws -> [Int] {
      let found = try await world.cache.objects(forKeys: keys)
      return keys.map { found[$0, default: 0] }
    }
    #expect(try await values() == keys.map { _ in 1 })
    world.time.advance(by: .seconds(11))
    world.source.gives(2)
    let gate = world.source.stop(2)
    for _ in 0..<3 { #expect(try await values() == keys.map { _ in 1 }) }
    await gate.arrivals(keys.count)
    #expect(world.source.requests.last?.reason == .expired)
    gate.open()
    await world.settled()
    #expect(try await values() == keys.map { _ in 2 })
    #expect(world.source.loads == 2 * keys.count)
  }

  @Test("with a soft timeout of zero, a load that hangs is given up like any other")
  func softZeroHangs() async throws {
    let world = try await expired(
      LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100), softTimeout: .zero))
    let stuck = world.source.stop()
    #expect(try await world.cache.object(forKey: "a") == 1)
    await stuck.arrivals(1)
    world.source.go()
    world.time.advance(by: .seconds(30))
    #expect(try await world.cache.object(forKey: "a") == 1)
    await until { world.source.loads == 3 }
    await until { world.cache.loadsInFlight == 0 }
    #expect(try await world.cache.object(forKey: "a") == 2)
    stuck.open()
  }

  @Test("a caller with a stale value waits at most the soft timeout for another's load (case 26)")
  func joined() async throws {
    let world = try await expired()
    let gate = world.source.stop()
    let first = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    await world.time.sleepers(1)
    let others = (0..<10).map { _ in Task { try await world.cache.object(forKey: "a") } }
    await world.time.sleepers(11)
    world.time.advance(by: .seconds(1))
    for caller in [first] + others { #expect(try await caller.value == 1) }
    #expect(world.source.loads == 2)
    gate.open()
    await world.settled()
  }

  @Test("`cancel`: the load is cancelled when the last caller has stopped waiting")
  func cancelling() async throws {
    var policy = Self.policy
    policy.afterTimeout = .cancel
    let world = try await expired(policy)
    let gate = world.source.stop()
    let caller = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    await world.time.sleepers(1)
    world.time.advance(by: .seconds(1))
    #expect(try await caller.value == 1)
    gate.open()
    await world.settled()
    #expect(world.source.cancelled == 1)
  }

  @Test(
    "a load that never ends is abandoned: the key is loaded anew, and the old result is ignored (Altinn #4300, case 27)"
  )
  func abandoned() async throws {
    var policy = Self.policy
    policy.afterTimeout = .abandon(after: .seconds(60))
    let world = World(policy)
    let stuck = world.source.stop()
    let caller = Task { try await world.cache.object(forKey: "a") }
    await stuck.arrivals(1)
    await world.time.sleepers(2)
    world.time.advance(by: .seconds(5))
    await #expect(throws: StorageError.timedOut) { try await caller.value }
    world.time.advance(by: .seconds(55))
    await until { world.cache.statistics.abandonedLoads == 1 }
    world.source.go()
    world.source.gives(2)
    #expect(try await world.cache.object(forKey: "a") == 2)
    world.source.gives(3)
    stuck.open()
    await until { world.source.cancelled == 1 }
    #expect(try await world.cache.object(forKey: "a") == 2)
  }

  @Test("no more loads are abandoned than may run in the background (Altinn #4300)")
  func boundedLosses() async throws {
    let world = World(
      LoadPolicy(hardTimeout: .seconds(5), afterTimeout: .abandon(after: .seconds(60)), backgroundLimit: 1))
    let stuck = world.source.stop(2)
    let callers = ["a", "b"].map { key in Task { try await world.cache.object(forKey: key) } }
    await stuck.arrivals(2)
    await world.time.sleepers(4)
    world.time.advance(by: .seconds(60))
    for caller in callers { await #expect(throws: (any Error).self) { try await caller.value } }
    await until { world.cache.statistics.abandonedLoads == 1 }
    stuck.open()
    await world.settled()
    #expect(world.cache.statistics.abandonedLoads == 1)
  }

  @Test("a wall clock that jumps does not change timeouts (case 28)", arguments: [-3600.0, 3600])
  func jump(_ seconds: Double) async throws {
    let world = World(LoadPolicy(hardTimeout: .seconds(5)))
    let gate = world.source.stop()
    let caller = Task { try await world.cache.object(forKey: "a") }
    await gate.arrivals(1)
    await world.time.sleepers(1)
    world.time.setDate(world.time.date.addingTimeInterval(seconds))
    world.time.advance(by: .seconds(4.9))
    #expect(world.time.sleeperCount == 1)
    world.time.advance(by: .seconds(0.1))
    await #expect(throws: StorageError.timedOut) { try await caller.value }
    gate.open()
    await world.settled()
  }

  @Test("`refresh` waits at most the hard timeout, for a load that runs already and for its own together")
  func refresh() async throws {
    let world = World(LoadPolicy(hardTimeout: .seconds(5)))
    let stuck = world.source.stop()
    let reader = Task { try await world.cache.object(forKey: "a") }
    await stuck.arrivals(1)
    await world.time.sleepers(1)
    world.time.advance(by: .seconds(3))
    let first = Task { try await world.cache.refresh(forKey: "a") }
    await world.time.sleepers(2)
    world.time.advance(by: .seconds(2))
    await #expect(throws: StorageError.timedOut) { try await reader.value }
    let second = Task { try await world.cache.refresh(forKey: "a") }
    await world.time.sleepers(2)
    world.time.advance(by: .seconds(3))
    await #expect(throws: StorageError.timedOut) { try await first.value }
    let own = world.source.stop()
    stuck.open()
    await own.arrivals(1)
    await world.time.sleepers(1)
    world.time.advance(by: .seconds(2))
    await #expect(throws: StorageError.timedOut) { try await second.value }
    own.open()
    await world.settled()
    #expect(world.source.loads == 2)
    #expect(world.cache.statistics.hardTimeouts == 3)
  }

  @Test("a timeout while the loaded value is being stored does not count as a failure of the load")
  func slowWrite() async throws {
    let time = ManualClock()
    let store = SlowWriting(time.clock)
    let source = Source()
    let cache = store.loading(Self.policy, clock: time, source.load)
    let caller = Task { try await cache.object(forKey: "a") }
    await store.gate.arrivals(1)
    await time.sleepers(1)
    time.advance(by: .seconds(5))
    await #expect(throws: StorageError.timedOut) { try await caller.value }
    store.gate.open()
    await until { cache.engine.failures.count("a") == 0 }
    time.advance(by: .seconds(6))
    source.gives(2)
    #expect(try await cache.object(forKey: "a") == 2)
    #expect(source.requests.last?.attempt == 1)
  }

  @Test("an inner store that is slower than its timeout counts as empty (FusionCache #534, case 29)")
  func slowStore() async throws {
    let time = ManualClock()
    let slow = FaultyStorage(
      MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock)), seed: 1, clock: time)
    let source = Source()
    let cache = slow.loading(LoadPolicy(storeTimeout: .seconds(1)), clock: time, source.load)
    slow.close()
    let caller = Task { try await cache.object(forKey: "a") }
    await until { slow.waiting == 1 }
    await time.sleepers(1)
    time.advance(by: .seconds(1))
    await until { source.loads == 1 }
    slow.open()
    #expect(try await caller.value == 1)
    #expect(cache.statistics.storeFailures == 1)
  }
}

/// A store whose first write waits at a gate.
private final class SlowWriting: SimpleStorage {
  let inner: DictionaryStorage<String, Cached<Int>>
  let gate = Gate(holding: 1)

  init(_ clock: StorageClock) { inner = DictionaryStorage(clock: clock) }

  var clock: StorageClock { inner.clock }
  func entryIfPresent(forKey key: String) async throws -> Entry<Cached<Int>>? {
    try await inner.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Cached<Int>, forKey key: String, expiry: Expiry?) async throws {
    await gate.pass()
    try await inner.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try await inner.removeObject(forKey: key) }
  func removeAll() async throws { try await inner.removeAll() }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { try await inner.keys() }
}
