import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

/// Atomic updates.
@Suite struct RedisUpdateTests {
  private let server: RedisServer
  private let config: RedisConfig

  init() async throws {
    server = try await RedisServer()
    config = RedisConfig(addresses: [server.address], timeout: .seconds(30))
  }

  private func store() throws -> RedisStorage<String> { try RedisStorage(config: config, namespace: "s") }

  private static func increment(_ value: inout Data) throws {
    value = text("\(try #require(Int(String(decoding: value, as: UTF8.self))) + 1)")
  }

  @Test func concurrentUpdatesAreAllApplied() async throws {
    // Four stores with separate connections, like four processes, and four tasks on each.
    let stores = try (0..<4).map { _ in try store() }
    try await stores[0].setObject(text("0"), forKey: "count")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        for _ in 0..<4 {
          group.addTask { for _ in 0..<20 { try await store.update(forKey: "count", Self.increment) } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stores[0].object(forKey: "count") == text("320"))
  }

  @Test func runsAgainIfAnotherClientWrites() async throws {
    let store = try store()
    try await store.setObject(text("1"), forKey: "count")
    let port = server.port
    var seen: [String] = []
    let result = try await store.update(forKey: "count") { value in
      seen.append(String(decoding: value, as: UTF8.self))
      if seen.count == 1 { try RawRedis(port: port).run("SET", "s::count", "10") }
      try Self.increment(&value)
    }
    #expect(seen == ["1", "10"])
    #expect(result == text("11"))
    #expect(try await server.run("GET", "s::count") == .bulk(text("11")))
  }

  @Test func absentAndExpiredEntriesAreNotFound() async throws {
    let store = try store()
    #expect(await failure { try await store.update(forKey: "none") { $0 = text("x") } } == .notFound)
    try await store.setObject(text("1"), forKey: "old", expiry: .date(.distantPast))
    let error = await failure { try await store.update(forKey: "old") { $0 = text("x") } }
    #expect(error == .notFound)
    #expect(error?.key as? String == "old")
    #expect(try await server.run("DBSIZE") == .integer(0))
  }

  @Test func changesNothingIfTheClosureThrows() async throws {
    let store = try store()
    try await store.setObject(text("1"), forKey: "count")
    await #expect(throws: Failure.first) {
      try await store.update(forKey: "count") { value in
        value = text("x")
        throw Failure.first
      }
    }
    #expect(try await store.object(forKey: "count") == text("1"))
    // The connection no longer watches the key, so a write of another client causes no repetition.
    var runs = 0
    try await server.run("SET", "s::count", "5")
    try await store.update(forKey: "count") { value in
      runs += 1
      try Self.increment(&value)
    }
    #expect(runs == 1)
    #expect(try await store.object(forKey: "count") == text("6"))
  }

  @Test(arguments: [1, 2])
  func isNeverExecutedTwice(_ ways: Int) async throws {
    let store = try store()
    try await store.setObject(text("1"), forKey: "count")
    // With two addresses, the client does not repeat the transaction at the second one either.
    let proxies = (0..<ways).map { _ in Proxy(to: server) }
    let far = try RedisStorage<String>(
      config: RedisConfig(addresses: proxies.map(\.address)), namespace: "s")
    try await far.update(forKey: "count", Self.increment)
    // The server executes the transaction, and its reply is lost.
    let error = await failure {
      try await far.update(forKey: "count") { value in
        for proxy in proxies { proxy.cut(after: 5, .toClient) }
        try Self.increment(&value)
      }
    }
    #expect(error == .backendFailed)
    #expect(error?.message.contains("may or may not have been executed") == true)
    #expect(try await store.object(forKey: "count") == text("3"))
    // The next call uses a new, intact connection.
    for proxy in proxies { proxy.cutAll() }
    _ = try await eventually { try await far.object(forKey: "count") }
    try await far.update(forKey: "count", Self.increment)
    #expect(try await store.object(forKey: "count") == text("4"))
  }

  @Test func failsIfOthersKeepWriting() async throws {
    var config = config
    config.timeout = .milliseconds(300)
    let store = try RedisStorage<String>(config: config, namespace: "s")
    try await self.store().setObject(text("1"), forKey: "count")
    let port = server.port
    // On a busy machine the first attempt may already take all of the time.
    try await eventually {
      let error = await failure {
        try await store.update(forKey: "count") { value in
          try RawRedis(port: port).run("INCR", "s::count")
          value = text("mine")
        }
      }
      #expect(error == .backendFailed)
      return error?.message.contains("other clients changed the entry") == true
    }
    #expect(try await self.store().object(forKey: "count") != text("mine"))
  }
}
