import Foundation
import Hummingbird
import ServiceLifecycle
import ServiceLifecycleTestKit
import Strata
import Testing

@testable import StrataHummingbird

private struct User: Codable, Equatable {
  var name: String
}

/// What Hummingbird's own tests expect of a persist driver, and what its documentation says beyond.
@Suite(.timeLimit(.minutes(2)))
struct PersistTests {
  /// Returns a driver over an empty store.
  private func driver(_ store: TestStore, sweepInterval: Duration = .seconds(600)) throws -> any PersistDriver
  {
    func driver(_ store: some TestStore.Store) -> any PersistDriver {
      StrataPersistDriver(store, sweepInterval: sweepInterval)
    }
    return driver(try store.open())
  }

  @Test("a value is stored, replaced, read and removed", arguments: TestStore.allCases)
  func values(store: TestStore) async throws {
    let persist = try driver(store)
    #expect(try await persist.get(key: "a", as: String.self) == nil)
    try await persist.set(key: "a", value: "one")
    #expect(try await persist.get(key: "a", as: String.self) == "one")
    try await persist.set(key: "a", value: "two")
    #expect(try await persist.get(key: "a", as: String.self) == "two")
    try await persist.set(key: "user", value: User(name: "Ada"))
    #expect(try await persist.get(key: "user", as: User.self) == User(name: "Ada"))
    try await persist.remove(key: "a")
    try await persist.remove(key: "absent")
    #expect(try await persist.get(key: "a", as: String.self) == nil)
  }

  @Test(
    "a key is created once, and again after its value was removed or has expired",
    arguments: TestStore.allCases)
  func creating(store: TestStore) async throws {
    let persist = try driver(store)
    try await persist.create(key: "a", value: "one")
    await #expect(throws: PersistError.duplicate) { try await persist.create(key: "a", value: "two") }
    #expect(try await persist.get(key: "a", as: String.self) == "one")
    try await persist.remove(key: "a")
    try await persist.create(key: "a", value: "three", expires: .zero)
    try await persist.create(key: "a", value: "four", expires: .seconds(60))
    #expect(try await persist.get(key: "a", as: String.self) == "four")
  }

  @Test("of many callers that create one key, one succeeds", arguments: TestStore.allCases)
  func race(store: TestStore) async throws {
    let persist = try driver(store)
    let winners = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          do { try await persist.create(key: "a", value: number) } catch let error as PersistError {
            #expect(error == .duplicate)
            return 0
          }
          return 1
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(winners == 1)
  }

  @Test("a value expires, and the key can be set again", arguments: TestStore.allCases)
  func expiring(store: TestStore) async throws {
    let persist = try driver(store)
    try await persist.set(key: "zero", value: "a", expires: .zero)
    try await persist.set(key: "soon", value: "b", expires: .milliseconds(20))
    try await persist.set(key: "later", value: "c", expires: .seconds(60))
    #expect(try await persist.get(key: "zero", as: String.self) == nil)
    try await until { try await persist.get(key: "soon", as: String.self) == nil }
    #expect(try await persist.get(key: "later", as: String.self) == "c")
    try await persist.set(key: "zero", value: "d", expires: .seconds(60))
    #expect(try await persist.get(key: "zero", as: String.self) == "d")
  }

  @Test("the time to live is that of the last `expires`", arguments: TestStore.allCases)
  func timeToLive(store: TestStore) async throws {
    let persist = try driver(store)
    func ttl() async throws -> Duration? { try await persist.getWithTTL(key: "a", as: String.self)?.ttl }
    try await persist.set(key: "a", value: "one")
    #expect(try await persist.getWithTTL(key: "a", as: String.self)?.object == "one")
    #expect(try await ttl() == nil)
    try await persist.set(key: "a", value: "two", expires: .seconds(600))
    let first = try #require(try await ttl())
    #expect(first > .seconds(540) && first <= .seconds(600))
    try await persist.set(key: "a", value: "three", expires: .seconds(60))
    let second = try #require(try await ttl())
    #expect(second > .zero && second <= .seconds(60))
  }

  @Test(
    "without `expires` a value keeps its time of expiry, unless that has passed",
    arguments: TestStore.allCases)
  func keeping(store: TestStore) async throws {
    let persist = try driver(store)
    try await persist.set(key: "a", value: "one", expires: .seconds(600))
    try await persist.set(key: "a", value: "two")
    let kept = try #require(try await persist.getWithTTL(key: "a", as: String.self))
    #expect(kept.object == "two")
    #expect(try #require(kept.ttl) > .seconds(540))
    try await persist.set(key: "a", value: "three", expires: .zero)
    try await persist.set(key: "a", value: "four")
    let new = try #require(try await persist.getWithTTL(key: "a", as: String.self))
    #expect(new.object == "four" && new.ttl == nil)
  }

  @Test("a value of another type is not converted, and stays", arguments: TestStore.allCases)
  func types(store: TestStore) async throws {
    let persist = try driver(store)
    try await persist.set(key: "a", value: User(name: "Ada"))
    await #expect(throws: PersistError.invalidConversion) { try await persist.get(key: "a", as: String.self) }
    await #expect(throws: PersistError.invalidConversion) {
      try await persist.getWithTTL(key: "a", as: Int.self)
    }
    #expect(try await persist.get(key: "a", as: User.self) == User(name: "Ada"))
  }

  @Test("a route reads what another one has stored", arguments: TestStore.allCases)
  func routes(store: TestStore) async throws {
    let persist = try driver(store)
    let router = Router(context: TestContext.self)
    router.put("persist/:tag/:time") { request, context -> HTTPResponse.Status in
      let text = String(buffer: try await request.body.collect(upTo: 1000))
      let seconds = try context.parameters.require("time", as: Int.self)
      try await persist.set(
        key: try context.parameters.require("tag"), value: text, expires: .seconds(seconds))
      return .ok
    }
    router.get("persist/:tag") { _, context in
      try await persist.get(key: try context.parameters.require("tag"), as: String.self)
    }
    router.delete("persist/:tag") { _, context -> HTTPResponse.Status in
      try await persist.remove(key: try context.parameters.require("tag"))
      return .noContent
    }
    let service = Service(router)
    #expect(try await service.send(.put, "/persist/a/60", body: "text").status == .ok)
    #expect(try await service.send(.get, "/persist/a").text == "text")
    #expect(try await service.send(.put, "/persist/b/0", body: "text").status == .ok)
    #expect(try await service.send(.get, "/persist/b").status == .noContent)
    #expect(try await service.send(.delete, "/persist/a").status == .noContent)
    #expect(try await service.send(.get, "/persist/a").status == .noContent)
  }

  @Test("the service removes expired entries until it shuts down")
  func sweeping() async throws {
    let time = ManualClock()
    let memory = MemoryStorage<String, Data>(config: MemoryConfig(clock: time.clock))
    let persist = StrataPersistDriver(memory, sweepInterval: .milliseconds(1))
    try await persist.create(key: "a", value: 1, expires: .seconds(60))
    try await persist.create(key: "b", value: 2, expires: nil)
    try await testGracefulShutdown { trigger in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await persist.run() }
        time.advance(by: .seconds(61))
        try await until { try await memory.entryIfPresent(forKey: "a") == nil }
        trigger.triggerGracefulShutdown()
        try await group.waitForAll()
      }
    }
    #expect(try await persist.get(key: "b", as: Int.self) == 2)
  }

  @Test("a store that can only be read and written becomes one of a driver with `serial()`")
  func serial() async throws {
    let store = MemoryStorage<String, Data>(config: MemoryConfig())
      .combined(with: MemoryStorage<String, Data>(config: MemoryConfig()))
    let persist = StrataPersistDriver(store.serial())
    try await persist.create(key: "a", value: 1)
    await #expect(throws: PersistError.duplicate) { try await persist.create(key: "a", value: 2) }
  }
}
