import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// Deadlines, cancellation, and silent servers.
@Suite(.timeLimit(.minutes(10)))
struct RedisWaitingTests {
  /// A frozen server blocks no call beyond its deadline, and a late reply is not assigned to another call.
  @Test func aCallEndsAtItsDeadline() async throws {
    let server = try await RedisServer()
    try await server.run("SET", "k", "v")
    let node = RedisNode(port: server.port)
    _ = try await node.get("k")
    server.freeze()
    let start = ContinuousClock.now
    let failure = await connectionError {
      try await node.send(RedisCommand("GET", "k", isIdempotent: true), deadline: .milliseconds(50))
    }
    #expect(failure == .timedOut)
    #expect(.now - start >= .milliseconds(50))
    server.thaw()
    #expect(try await node.send(RedisCommand("ECHO", "mine", keyIndex: nil)) == "mine")
    #expect(try await server.run("INFO", "clients").text?.contains("connected_clients:2") == true)
  }

  /// Each call has its own deadline, also calls added while another waits.
  @Test func eachCallHasItsOwnDeadline() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    _ = try await node.get("k")
    server.freeze()
    await withTaskGroup { group in
      for milliseconds in [300, 20, 150, 80, 20, 250] {
        group.addTask {
          let start = ContinuousClock.now
          let failure = await connectionError {
            try await node.send(
              [RedisCommand("PING", keyIndex: nil), RedisCommand("PING", keyIndex: nil)],
              deadline: .milliseconds(milliseconds))
          }
          #expect(failure == .timedOut)
          #expect(.now - start >= .milliseconds(milliseconds))
        }
      }
    }
    server.thaw()
    #expect(try await node.get("k") == .null)
  }

  /// A call also ends at its deadline while it waits for its first connection.
  @Test func deadlinesApplyWhileConnecting() async throws {
    let server = try await RedisServer()
    server.freeze()
    let node = RedisNode(port: server.port)
    let failure = await connectionError {
      try await node.send(RedisCommand("PING", keyIndex: nil), deadline: .milliseconds(50))
    }
    #expect(failure == .timedOut)
  }

  @Test func connectingHasItsOwnTimeout() async throws {
    let server = try await RedisServer()
    server.freeze()
    let node = RedisNode(port: server.port) { $0.connectTimeout = .milliseconds(50) }
    #expect(await connectionError { try await node.get("k") }?.kind == "unreachable")
    server.thaw()
    #expect(try await node.sendWhenItIsBack(RedisCommand("GET", "k")) == .null)
  }

  /// The task continues at once, the reply is discarded when it arrives, and the connection stays.
  @Test func cancellationKeepsTheConnection() async throws {
    let server = try await RedisServer()
    try await server.run("SET", "k", "v")
    let proxy = Proxy(to: server)
    let node = RedisNode(port: proxy.port)
    _ = try await node.get("k")
    proxy.hold(.toClient)
    let passed = proxy.passed(.toServer)
    let task = Task { try await node.get("k") }
    await until { proxy.passed(.toServer) > passed }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    async let next = node.send(RedisCommand("ECHO", "mine", keyIndex: nil))
    proxy.release(.toClient)
    #expect(try await next == "mine")
    #expect(proxy.accepted == 1)
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    _ = try await node.get("k")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await node.send(RedisCommand("INCR", "n"))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await node.get("n") == .null)
  }

  /// Cancelled at random moments among other calls: each call gets its own reply or its cancellation.
  @Test func cancellationAtRandomMoments() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    await withTaskGroup { group in
      for number in 0..<2000 {
        group.addTask {
          let task = Task { try await node.send(RedisCommand("ECHO", .integer(number), keyIndex: nil)) }
          if number % 2 == 0 {
            for _ in 0..<number % 7 { await Task.yield() }
            task.cancel()
          }
          do {
            let reply = try await task.value
            #expect(reply.integer == number)
          } catch {
            #expect(number % 2 == 0 && error is CancellationError)
          }
        }
      }
    }
    #expect(try await node.get("k") == .null)
  }

  /// A server that is silent for two heartbeats is disconnected, although its connection is intact.
  @Test func aSilentServerIsDisconnected() async throws {
    let server = try await RedisServer()
    let changes = Shared<[RedisNode.LinkChange]>([])
    let node = RedisNode(
      port: server.port,
      {
        $0.heartbeat = .milliseconds(50)
        $0.connectTimeout = .milliseconds(100)
      },
      onLinkChange: { change in changes.change { $0.append(change) } })
    _ = try await node.get("k")
    server.freeze()
    // On a busy machine the client may have disconnected and reconnected before.
    await until { if case .down? = changes.value.last { true } else { false } }
    server.thaw()
    #expect(try await node.sendWhenItIsBack(RedisCommand("GET", "k")) == .null)
    #expect(changes.value.count >= 3)
  }

  /// An idle connection stays: the server answers the heartbeat.
  @Test func anIdleConnectionStays() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    // A busy server may answer later than a shorter heartbeat allows.
    let node = RedisNode(port: proxy.port) { $0.heartbeat = .milliseconds(400) }
    _ = try await node.get("k")
    let pings = { proxy.passed(.toClient) }
    let start = pings()
    await until { pings() >= start + 2 * "+PONG\r\n".utf8.count }
    #expect(try await node.get("k") == .null)
    #expect(proxy.accepted == 1)
  }
}
