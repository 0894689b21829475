import Strata
import StrataCore
import TestSupport
import Testing

@testable import StrataLoading

/// A user's task-local values, such as a trace's context, reach the loader and the inner store.
@Suite("Loading: task-local values", .timeLimit(.minutes(5)), .endsInTime)
final class TaskLocalTests: Sendable {
  @TaskLocal static var caller = "nobody"

  private let seen = Locked<[String]>([])

  @Sendable private func note() { seen.withLock { $0.append(Self.caller) } }

  private func world(_ policy: LoadPolicy) -> World {
    let world = World(policy)
    world.source.answers { _ in
      self.note()
      return .value(1)
    }
    return world
  }

  @Test("a loader has the values of the caller whose read starts the load, not of one that joins it")
  func load() async throws {
    let world = world(LoadPolicy(freshFor: .seconds(10)))
    let gate = world.source.stop()
    let first = Self.$caller.withValue("first") { Task { try await world.cache.object(forKey: "a") } }
    await gate.arrivals(1)
    let second = Self.$caller.withValue("second") { Task { try await world.cache.object(forKey: "a") } }
    await until { world.cache.engine.flights.waiting == 2 }
    gate.open()
    _ = try await (first.value, second.value)
    #expect(seen.withLock { $0 } == ["first"])
  }

  @Test("so has the load of a caller with a time limit, one of many keys, and one without await")
  func waysToLoad() async throws {
    let policy = LoadPolicy(freshFor: .seconds(10), hardTimeout: .seconds(5), storeTimeout: .seconds(5))
    let world = world(policy)
    try await Self.$caller.withValue("limited") { _ = try await world.cache.object(forKey: "a") }
    let many = MemoryStorage<String, Int>().loading(
      policy,
      many: { requests in
        self.note()
        return [requests[0].key: .value(1)]
      })
    try await Self.$caller.withValue("many") { _ = try await many.objects(forKeys: ["a"]) }
    let synchronous = MemoryStorage<String, Int>().syncLoading(policy) { _ in
      self.note()
      return .value(1)
    }
    try Self.$caller.withValue("synchronous") { _ = try blocking { try synchronous.object(forKey: "a") } }
    #expect(seen.withLock { $0 } == ["limited", "many", "synchronous"])
  }

  @Test(
    "a refresh in the background has the values of the read that found it due",
    arguments: [nil, Duration.seconds(1)])
  func refresh(gathering: Duration?) async throws {
    let time = ManualClock()
    let policy = LoadPolicy(freshFor: .seconds(10), refreshAhead: .at(0.8), refreshGathering: gathering)
    let cache = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock)).loading(
      policy, clock: time,
      many: { requests in
        self.note()
        return [requests[0].key: .value(1)]
      })
    _ = try await cache.object(forKey: "a")
    time.advance(by: .seconds(8))
    try await Self.$caller.withValue("reader") { _ = try await cache.object(forKey: "a") }
    if let gathering {
      await time.sleepers(1)
      time.advance(by: gathering)
    }
    await until { seen.withLock { $0.count } == 2 }
    #expect(seen.withLock { $0 } == ["nobody", "reader"])
  }

  @Test("the inner store behind a time limit has the caller's values")
  func timeLimit() async throws {
    let inner = MemoryStorage<String, Int>(dictionary: ["a": 1]).mapValues(
      to: Int.self,
      mapTo: { value in
        self.note()
        return value
      }, mapFrom: { $0 })
    try await Self.$caller.withValue("caller") {
      _ = try await inner.timeout(.seconds(5)).object(forKey: "a")
    }
    #expect(seen.withLock { $0 } == ["caller"])
  }

  @Test(
    "a load that an operation starts is not part of that operation, and writes under no lease of its caller")
  func apart() async throws {
    let world = world(LoadPolicy(freshFor: .seconds(10)))
    let lease = StorageLease(issuer: world.source)
    let held = Locked<StorageLease?>(nil)
    world.source.answers { _ in
      held.withLock { $0 = StorageLease.current }
      return .value(1)
    }
    try await lease.whileHeld { _ = try await world.cache.object(forKey: "a") }
    #expect(held.withLock { $0?.token } == nil)
  }
}
