import Foundation
import StrataCore
@testable import StrataRedis
import TestSupport
import Testing

/// Writes that are cancelled, or whose connection is lost: none may overwrite a later write of the key.
@Suite(.timeLimit(.minutes(10))) struct RedisLostWriteTests {
  /// The operation that follows a cancelled or lost write of the key.
  enum Later: CaseIterable { case value, batch, remove, removeBatch, update, ifAbsent, count }

  private func far(_ proxy: Proxy, connections: Int = 1) throws -> RedisStorage<String> {
    try RedisStorage(
      config: RedisConfig(
        addresses: [proxy.address], connections: connections, timeout: .seconds(60), heartbeat: .seconds(60)),
      namespace: "s")
  }

  private func write(_ later: Later, _ store: RedisStorage<String>) async throws {
    switch later {
    case .value: try await store.setObject(text("2"), forKey: "key")
    case .batch: try await store.setObjects(["key": text("2"), "other": text("2")], expiry: nil)
    case .remove: try await store.removeObject(forKey: "key")
    case .removeBatch: try await store.removeObjects(forKeys: ["key", "other"])
    case .update: try await store.update(forKey: "key") { $0 = text("2") }
    case .ifAbsent:
      try await store.removeObject(forKey: "key")
      #expect(try await store.setIfAbsent(text("2"), forKey: "key", expiry: nil))
    case .count:
      try await store.removeObject(forKey: "key")
      #expect(try await store.increment(forKey: "key", by: 2) == 2)
    }
  }

  private func expected(_ later: Later) -> Data? {
    switch later {
    case .remove, .removeBatch: nil
    case .value, .batch, .update, .ifAbsent, .count: text("2")
    }
  }

  @Test("a write whose reply is lost is not sent again") func isSentOnce() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let store = try far(proxy)
    _ = try await store.entryIfPresent(forKey: "key")
    proxy.hold(.toClient)
    async let failure = failure { try await store.setObject(text("1"), forKey: "key") }
    try await eventually { try await server.run("GET", "s::key") != .null }
    proxy.cutAll()
    proxy.release(.toClient)
    let error = try #require(await failure)
    #expect(error.message.contains("may or may not have been executed"))
    #expect(try await store.object(forKey: "key") == text("1"))
    #expect(try await server.run("INFO", "commandstats").text?.contains("cmdstat_getset:calls=1,") == true)
  }

  @Test("a cancelled write is executed before all later ones", arguments: Later.allCases, [1, 3])
  func cancelled(_ later: Later, _ connections: Int) async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let store = try far(proxy, connections: connections)
    try await store.setObject(text("0"), forKey: "key")
    for _ in 0..<connections { _ = try await store.entryIfPresent(forKey: "none") }
    try await store.update(forKey: "key") { _ in }
    let received = proxy.received(.toServer)
    proxy.holdLines()
    let first = Task { try await store.setObject(text("1"), forKey: "key") }
    await until { proxy.received(.toServer) > received }
    proxy.holdLines(onlyLast: true)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    async let second: Void = write(later, store)
    // During this time, a write that did not wait for the first one would be executed.
    for _ in 0..<20 { _ = try await server.run("PING") }
    proxy.releaseLines()
    try await second
    let after = proxy.passed(.toServer)
    await until { proxy.passed(.toServer) >= after }
    #expect(try await store.objectIfPresent(forKey: "key") == expected(later))
    #expect(try await server.run("GET", "s::key") == (expected(later).map { .bulk($0) } ?? .null))
  }

  /// Cancels an update whose transaction is on its way, calls `body`, and delivers the transaction. It is executed only
  /// if the key, which it watches, was not written meanwhile.
  private func cancelUpdate(_ store: RedisStorage<String>, _ proxy: Proxy, _ body: () async throws -> Void)
    async throws
  {
    try await store.setObject(text("0"), forKey: "key")
    let received = Shared(0)
    let update = Task {
      try await store.update(forKey: "key") { value in
        received.change { $0 = proxy.received(.toServer) }
        proxy.holdLines()
        value = text("1")
      }
    }
    await until { received.value > 0 && proxy.received(.toServer) > received.value }
    proxy.holdLines(onlyLast: true)
    update.cancel()
    await #expect(throws: CancellationError.self) { try await update.value }
    try await body()
    let lines = proxy.lines
    proxy.releaseLines()
    await until { proxy.lines < lines }
  }

  @Test("a cancelled update that is delivered late overwrites nothing", arguments: Later.allCases)
  func cancelledUpdate(_ later: Later) async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let store = try far(proxy)
    try await cancelUpdate(store, proxy) { try await write(later, store) }
    #expect(try await store.objectIfPresent(forKey: "key") == expected(later))
  }

  @Test("a cancelled update may be executed after a setIfAbsent that stored nothing") func refusedWrite()
    async throws
  {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let store = try far(proxy)
    try await cancelUpdate(store, proxy) {
      let isStored = try await store.setIfAbsent(text("2"), forKey: "key", expiry: nil)
      #expect(!isStored)
    }
    #expect(try await store.object(forKey: "key") == text("1"))
  }

  @Test("commands that were not sent before the connection was lost use the next one") func unsent()
    async throws
  {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let store = try far(proxy)
    _ = try await store.entryIfPresent(forKey: "key")
    let received = proxy.received(.toServer)
    proxy.holdLines()
    // Larger than the socket's buffers, so that later commands are not handed to the system. The value is sent by a
    // single command, because `setObject` stores large values in a transaction.
    async let large = failure {
      let command = RedisCommand(
        "SET", [store.namespace.word("large"), .raw([UInt8](repeating: 0, count: 30 << 20))])
      do { _ = try await store.send(command) } catch { throw store.client.explained(error, "store", "large") }
    }
    await until { proxy.received(.toServer) > received }
    let small = (0..<20).map { number in
      Task { try await store.setObject(text("\(number)"), forKey: "\(number)") }
    }
    let reads = (0..<20).map { number in Task { try await store.entryIfPresent(forKey: "none \(number)") } }
    for _ in 0..<20 { _ = try await server.run("PING") }
    proxy.hangUp()
    #expect(try #require(await large).message.contains("may or may not have been executed"))
    for task in small { try await task.value }
    for task in reads { #expect(try await task.value == nil) }
    #expect(try await server.run("DBSIZE") == .integer(20))
    proxy.releaseLines()
  }

  @Test("only the lost connection is ended at the server") func otherLinesStay() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let (store, other) = (try far(proxy), try store(server.address))
    try await other.setObject(text("0"), forKey: "key")
    try await store.setObject(text("0"), forKey: "key")
    proxy.holdLines()
    let received = proxy.received(.toServer)
    async let failure = failure { try await store.setObject(text("1"), forKey: "key") }
    await until { proxy.received(.toServer) > received }
    proxy.hangUp()
    _ = await failure
    try await store.setObject(text("2"), forKey: "key")
    #expect(try await other.object(forKey: "key") == text("2"))
    let connections = try await server.run("INFO", "stats").text ?? ""
    // The connections of the two stores, the successor of the lost connection, and the connection of this query.
    #expect(connections.contains("total_connections_received:4"))
    proxy.releaseLines()
  }

  @Test(
    "writes work without the permission to end connections",
    .enabled(if: !RedisServer.isBefore7, "permissions for parts of commands are Redis 7's"))
  func withoutTheRight() async throws {
    let server = try await RedisServer()
    try await server.run("ACL", "SETUSER", "ada", "on", ">x", "~*", "+@all", "-client|kill", "-client|info")
    let proxy = Proxy(to: server)
    let store = try store(proxy.address, user: "ada", password: "x")
    try await store.setObject(text("0"), forKey: "key")
    proxy.hold(.toClient)
    async let failure = failure { try await store.setObject(text("1"), forKey: "key") }
    try await eventually { try await server.run("GET", "s::key") == .bulk(text("1")) }
    proxy.cutAll()
    proxy.release(.toClient)
    #expect(await failure == .backendFailed)
    try await store.setObject(text("2"), forKey: "key")
    #expect(try await store.object(forKey: "key") == text("2"))
  }
}
