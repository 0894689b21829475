import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// Connections used by a single caller at a time.
@Suite(.timeLimit(.minutes(10)))
struct RedisSessionTests {
  private static let watch = RedisCommand("WATCH", "n")
  private static let multi = RedisCommand("MULTI", keyIndex: nil)
  private static let exec = RedisCommand("EXEC", keyIndex: nil)
  private static let ping = RedisCommand("PING", keyIndex: nil)

  /// Adds one, unless another client writes meanwhile.
  private func addOne(_ node: RedisNode, _ meanwhile: @Sendable () async throws -> Void = {}) async throws
    -> Bool
  {
    try await node.exclusive { session in
      let number = try await session.send([Self.watch, RedisCommand("GET", "n")])[1].integer ?? 0
      try await meanwhile()
      let replies = try await session.send([
        Self.multi, RedisCommand("SET", "n", .integer(number + 1)), Self.exec,
      ])
      return replies[2] != .null
    }
  }

  @Test func aTransactionFailsIfTheKeyChanges() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    #expect(try await addOne(node))
    // The conflicting write is made by the same node, over its shared connection.
    #expect(try await !addOne(node) { _ = try await node.send(RedisCommand("SET", "n", 10)) })
    #expect(try await node.get("n") == "10")
  }

  /// The server refuses `EXEC` if it has become a replica since the commands were queued. Nothing was executed, so the
  /// transaction may be repeated, as a single command may.
  @Test func aTransactionOfADemotedPrimaryIsRefusedAsReadOnly() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    let refusal = try await node.exclusive { session in
      _ = try await session.send([Self.multi, RedisCommand("SET", "n", 1)])
      try await server.run("REPLICAOF", "127.0.0.1", "1")
      return try await session.send([Self.exec])[0].failure
    }
    #expect(refusal?.code == "READONLY" && refusal?.mayPass == true, "\(String(describing: refusal))")
  }

  @Test func concurrentTransactionsShareFewConnections() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    try await withThrowingTaskGroup { group in
      for _ in 0..<60 {
        group.addTask { try await eventually { try await self.addOne(node) } }
      }
      try await group.waitForAll()
    }
    #expect(try await node.get("n") == "60")
    let clients = try await server.run("INFO", "clients").text ?? ""
    let count = clients.split(separator: "\r\n").first { $0.hasPrefix("connected_clients:") }?.split(
      separator: ":"
    ).last
    // At most 16 exclusive connections, the node's shared one, and the one of this query.
    #expect(try #require(count.flatMap { Int($0) }) <= 18)
  }

  @Test func connectionsAreReused() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let node = RedisNode(port: proxy.port)
    for _ in 0..<5 { _ = try await node.exclusive { try await $0.send([Self.ping]) } }
    #expect(proxy.accepted == 1)
  }

  /// Watches and queued commands of a failed caller do not affect the next one.
  @Test func aFailedCallerLeavesNoOpenTransaction() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    await #expect(throws: CancellationError.self) {
      try await node.exclusive { session in
        _ = try await session.send([Self.multi])
        throw CancellationError()
      }
    }
    #expect(try await node.exclusive { try await $0.send([Self.ping]) } == [.simple("PONG")])
  }

  @Test func callersWaitWhenAllConnectionsAreInUse() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    let gate = Gate(holding: 16)
    try await withThrowingTaskGroup { group in
      for _ in 0..<16 {
        group.addTask { try await node.exclusive { _ in await gate.pass() } }
      }
      await gate.arrivals(16)
      let late = Task { try await node.exclusive { try await $0.send([Self.ping]) } }
      let cancelled = Task { try await node.exclusive { _ in } }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      gate.open()
      #expect(try await late.value == [.simple("PONG")])
      try await group.waitForAll()
    }
  }

  @Test func waitingForAConnectionTimesOut() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port) { $0.timeout = .milliseconds(50) }
    let gate = Gate(holding: 16)
    try await withThrowingTaskGroup { group in
      for _ in 0..<16 {
        group.addTask { try await node.exclusive { _ in await gate.pass() } }
      }
      await gate.arrivals(16)
      #expect(await connectionError { try await node.exclusive { _ in 1 } } == .timedOut)
      gate.open()
      try await group.waitForAll()
    }
  }

  /// A connection that ended while it was unused is not reused.
  @Test func deadConnectionsAreNotReused() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let node = RedisNode(port: proxy.port)
    _ = try await node.exclusive { try await $0.send([Self.ping]) }
    proxy.cutAll()
    await until { proxy.lines == 0 }
    try await eventually { () async throws -> Void in
      // The end of the connection may not have arrived yet.
      do { _ = try await node.exclusive { try await $0.send([Self.ping]) } } catch let error as StorageError {
        #expect((error.cause as? RedisConnectionError)?.kind == "lost")
        throw error
      }
    }
    #expect(proxy.accepted == 2)
  }
}
