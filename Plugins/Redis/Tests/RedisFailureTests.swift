import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// Results of calls when the server or the connection fails.
@Suite(.timeLimit(.minutes(10)))
struct RedisFailureTests {
  @Test func aStoppedServerIsUnreachable() async throws {
    let server = try await RedisServer()
    server.kill()
    let node = RedisNode(port: server.port)
    #expect(await connectionError { try await node.get("k") }?.kind == "unreachable")
    // During the back-off, calls fail at once with the same reason.
    #expect(await connectionError { try await node.get("k") }?.kind == "unreachable")
    try await server.restart()
    #expect(try await node.sendWhenItIsBack(RedisCommand("PING", keyIndex: nil)) == .simple("PONG"))
  }

  @Test(arguments: ["no.such.host.invalid", "", "a b"])
  func unknownHostsAreUnreachable(_ host: String) async {
    let node = RedisNode(address: RedisAddress(host: host), config: RedisConfig(connectTimeout: .seconds(60)))
    #expect(await connectionError { try await node.get("k") }?.kind == "unreachable")
  }

  @Test func hostNamesAreResolved() async throws {
    let server = try await RedisServer()
    let address = RedisAddress(host: "localhost", port: UInt16(server.port))
    let node = RedisNode(address: address, config: RedisConfig())
    #expect(try await node.get("k") == .null)
  }

  @Test func errorsNameTheServerAndARemedy() async throws {
    let server = try await RedisServer()
    server.kill()
    let node = RedisNode(port: server.port)
    let error = await #expect(throws: StorageError.self) { try await node.get("k") }
    #expect(error?.place == "127.0.0.1:\(server.port)")
    #expect(error?.message.contains("check that the server runs") == true)
  }

  /// An idempotent command is repeated on a new connection, without an error.
  @Test func anIdempotentCommandIsRepeatedOnce() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let node = RedisNode(port: proxy.port)
    _ = try await node.send(RedisCommand("SET", "k", "v"))
    proxy.hold(.toClient)
    let sent = proxy.passed(.toServer)
    async let reply = node.get("k")
    await until { proxy.passed(.toServer) > sent }
    proxy.cutAll()
    proxy.release(.toClient)
    #expect(try await reply == "v")
    #expect(proxy.accepted == 2)
  }

  @Test func anIdempotentCommandIsNotRepeatedTwice() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let node = RedisNode(port: proxy.port)
    let value = String(repeating: "v", count: 10_000)
    try await server.run("SET", "k", value)
    _ = try await node.get("k")
    let greeting = proxy.passed(.toClient) - "$10000\r\n\(value)\r\n".utf8.count
    proxy.hold(.toClient)
    let sent = proxy.passed(.toServer)
    async let failure = connectionError { try await node.get("k") }
    await until { proxy.passed(.toServer) > sent }
    proxy.cutAll()
    // On the next connection the handshake is answered, whose length varies by some bytes, and half of the call's reply
    // arrives.
    proxy.cut(after: greeting + value.utf8.count / 2, .toClient)
    proxy.release(.toClient)
    #expect(await failure?.kind == "lost")
  }

  /// A command that is not idempotent fails, and was executed once.
  @Test func otherCommandsAreNeverRepeated() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let node = RedisNode(port: proxy.port)
    _ = try await node.get("k")
    proxy.hold(.toClient)
    async let failure = connectionError { try await node.send(RedisCommand("INCR", "n")) }
    try await eventually { try await server.run("GET", "n") != .null }
    proxy.cutAll()
    proxy.release(.toClient)
    #expect(await failure?.kind == "lost")
    #expect(try await node.sendWhenItIsBack(RedisCommand("GET", "n")) == "1")
  }

  /// If one command of a pipeline is not idempotent, none is repeated.
  @Test func aMixedPipelineIsNeverRepeated() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let node = RedisNode(port: proxy.port)
    _ = try await node.get("k")
    proxy.hold(.toClient)
    async let failure = connectionError {
      try await node.send([RedisCommand("GET", "k", isIdempotent: true), RedisCommand("INCR", "n")])
    }
    try await eventually { try await server.run("GET", "n") != .null }
    proxy.cutAll()
    proxy.release(.toClient)
    #expect(await failure?.kind == "lost")
  }

  /// A call whose connection is cut after some bytes of the reply fails, or returns the complete value.
  @Test(arguments: 0..<12)
  func partialRepliesAreNeverReturned(_ bytes: Int) async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    try await server.run("SET", "k", "value")
    let node = RedisNode(port: proxy.port)
    _ = try await node.get("none")
    proxy.cut(after: max(bytes, 1), .toClient)
    let reply: RESPValue?
    // Not idempotent, so that it is not repeated.
    do { reply = try await node.send(RedisCommand("GET", "k")) } catch { reply = nil }
    #expect(reply == (bytes < "$5\r\nvalue\r\n".utf8.count ? nil : "value"))
    #expect(try await node.sendWhenItIsBack(RedisCommand("GET", "k", isIdempotent: true)) == "value")
  }

  /// A server that is killed during calls: each call ends, and acknowledged writes were executed.
  @Test func acknowledgedWritesSurviveAKillOfTheServer() async throws {
    let server = try await RedisServer(["--appendonly", "yes", "--appendfsync", "no"])
    let node = RedisNode(port: server.port)
    let acknowledged = Shared(0)
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          while true {
            do {
              _ = try await node.send(RedisCommand("INCR", "n"))
              acknowledged.change { $0 += 1 }
            } catch is StorageError { return }
          }
        }
      }
      await until { acknowledged.value > 500 }
      server.kill()
      try await group.waitForAll()
    }
    try await server.restart()
    let stored = try await node.sendWhenItIsBack(RedisCommand("GET", "n")).integer ?? 0
    #expect(stored >= acknowledged.value)
    #expect(stored <= acknowledged.value + 20)
  }

  /// A peer that sends no valid reply is not a Redis server.
  @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n"])
  func aPeerWithAnotherProtocolIsRefused(_ answer: String) async throws {
    let (listener, port) = Loopback.listener()
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        _ = answer.withCString { send(client, $0, strlen($0), Loopback.noSignal) }
      }
    }
    let node = RedisNode(port: port)
    #expect(await connectionError { try await node.get("k") }?.kind == "malformedReply")
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}
