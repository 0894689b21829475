import Foundation
import Strata
import StrataCore
import TestSupport
import Testing

@testable import StrataLoading

@Suite("Loading without await", .timeLimit(.minutes(5)), .endsInTime)
struct SyncLoadingTests {
  /// A source that blocks.
  private final class BlockingSource: Sendable {
    let gate = Shared<ThreadGate?>(nil)
    let loads = Shared(0)

    func load(_ request: LoadRequest<String, Int>) throws -> Loaded<Int> {
      loads.change { $0 += 1 }
      gate.value?.pass()
      return .value(1)
    }
  }

  private struct World {
    let time = ManualClock()
    let source = BlockingSource()
    let cache: SyncLoadingStorage<String, Int>

    init(_ policy: LoadPolicy = LoadPolicy()) {
      cache = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock))
        .syncLoading(policy, clock: time) { [source] in try source.load($0) }
    }
  }

  @Test("threads and tasks that miss one key share one load (case 1)")
  func mixed() async throws {
    let world = World()
    let gate = ThreadGate()
    world.source.gate.change { $0 = gate }
    let cache = world.cache
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await onThread { try cache.object(forKey: "a") } } }
      for _ in 0..<500 { group.addTask { try await cache.async.object(forKey: "a") } }
      await gate.arrival()
      await until { cache.async.statistics.misses == 520 }
      gate.open()
      for try await value in group { #expect(value == 1) }
    }
    #expect(world.source.loads.value == 1)
  }

  @Test("it supports writes, removals, expiry and tags without await")
  func operations() throws {
    let world = World(LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(10)))
    let cache = world.cache
    #expect(try cache.object(forKey: "a") == 1)
    try cache.setObject(5, forKey: "a", expiry: nil)
    #expect(try cache.object(forKey: "a") == 5)
    try cache.expire(forKey: "a")
    #expect(try cache.object(forKey: "a") == 1)
    try cache.setObjects(["b": 2, "c": 3], expiry: nil)
    #expect(
      try cache.entries(forKeys: ["a", "b", "c", "d"]).mapValues(\.object) == [
        "a": 1, "b": 2, "c": 3, "d": 1,
      ])
    #expect(try cache.keys().sorted() == ["a", "b", "c", "d"])
    try cache.removeObjects(forKeys: ["b", "c"])
    try cache.removeObject(forKey: "d")
    #expect(try cache.keys() == ["a"])
    #expect(try cache.refresh(forKey: "a") == 1)
    try cache.removeAll()
    #expect(try cache.keys() == [])
  }

  @Test("the loader's error is thrown; a recursion throws instead of hanging (case 10)")
  func errors() throws {
    struct Down: Error {}
    let own = Shared<SyncLoadingStorage<String, Int>?>(nil)
    let cache = MemoryStorage<String, Cached<Int>>().syncLoading { request in
      if request.key == "down" { throw Down() }
      return .value(try own.value?.object(forKey: request.key == "a" ? "b" : "a") ?? 0)
    }
    own.change { $0 = cache }
    defer { own.change { $0 = nil } }
    #expect(throws: Down.self) { try cache.object(forKey: "down") }
    #expect(throws: StorageError.deadlock) { try cache.object(forKey: "a") }
  }

  @Test("as many tasks as there are threads, and more, may block in it")
  func blockedTasks() async throws {
    let world = World()
    let cache = world.cache
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<64 {
        group.addTask { try withoutSuspending { try cache.object(forKey: "\(number % 8)") } }
      }
      for try await value in group { #expect(value == 1) }
    }
    #expect(world.source.loads.value == 8)
  }

  @Test("a caller waits no longer than the hard timeout, though its load blocks a thread")
  func timeout() async throws {
    let world = World(LoadPolicy(hardTimeout: .seconds(5)))
    let gate = ThreadGate()
    world.source.gate.change { $0 = gate }
    let cache = world.cache
    let value = Task { try await onThread { try cache.object(forKey: "a") } }
    await gate.arrival()
    await world.time.sleepers(1)
    world.time.advance(by: .seconds(5))
    await #expect(throws: StorageError.timedOut) { try await value.value }
    gate.open()
    await until { cache.async.loadsInFlight == 0 }
    #expect(cache.async.peek(forKey: "a")?.object == 1)
  }

  @Test("inside an operation of a store only cached entries are read")
  func insideAnOperation() throws {
    let cache = MemoryStorage<String, Cached<Int>>().syncLoading { _ in .value(1) }
    #expect(try cache.object(forKey: "a") == 1)
    let other = Storage(back: DictionaryStorage<String, Data>(), transformer: .codable(Int.self))
    try other.setObject(1, forKey: "n")
    try other.update(forKey: "n") { $0 += try cache.object(forKey: "a") }
    #expect(try other.object(forKey: "n") == 2)
    #expect(throws: StorageError.deadlock) {
      try other.update(forKey: "n") { $0 += try cache.object(forKey: "missing") }
    }
  }

  @Test("it keeps the contract over memory and disk", arguments: Contract.brief(number: 1))
  func keeps(_ promise: Contract) async throws {
    let subject = Subject("syncLoading over disk", except: [.sortedKeys]) { place in
      let config = DiskConfig(name: "entries", expiry: place.expiry, directory: place.url, clock: place.clock)
      return try Storage(back: DiskStorage<String>(config: config), transformer: .data)
        .syncLoading { _ in .absent() }
    }
    try await promise.check(subject)
  }
}
