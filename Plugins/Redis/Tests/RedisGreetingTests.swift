import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// The handshake: passwords, databases, names, protocol versions, sockets.
@Suite(.timeLimit(.minutes(10)))
struct RedisGreetingTests {
  private let ping = RedisCommand("PING", keyIndex: nil)

  @Test func thePasswordIsChecked() async throws {
    let server = try await RedisServer(["--requirepass", "open sesame"])
    #expect(
      try await RedisNode(port: server.port) { $0.password = "open sesame" }.send(ping) == .simple("PONG"))
    for (password, code) in [(nil, "NOAUTH"), ("", "WRONGPASS"), ("open", "WRONGPASS")] {
      let node = RedisNode(port: server.port) { $0.password = password }
      guard case .refused(let refusal)? = await connectionError({ try await node.send(ping) }) else {
        Issue.record("let in with \(password ?? "no password")")
        continue
      }
      #expect(refusal.code == code)
    }
  }

  @Test func theUserIsAuthenticated() async throws {
    let server = try await RedisServer()
    try await server.run("ACL", "SETUSER", "ada", "on", ">secret1815", "~ada:*", "+@all")
    let node = RedisNode(port: server.port) {
      $0.user = "ada"
      $0.password = "secret1815"
    }
    #expect(try await node.send(RedisCommand("ACL", "WHOAMI", keyIndex: nil)) == "ada")
    #expect(try await node.get("other").failure?.code == "NOPERM")
  }

  @Test func errorsDoNotContainThePassword() async throws {
    let server = try await RedisServer(["--requirepass", "x"])
    let node = RedisNode(port: server.port) { $0.password = "secret1815" }
    let error = await #expect(throws: StorageError.self) { try await node.send(ping) }
    #expect(error?.description.contains("secret1815") == false)
    #expect(error?.message.contains("the user or the password is wrong") == true)
  }

  @Test func theDatabaseAndTheClientNameAreSet() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port) {
      $0.database = 3
      $0.clientName = "strata-tests"
    }
    _ = try await node.send(RedisCommand("SET", "k", "v"))
    #expect(try await node.send(RedisCommand("CLIENT", "GETNAME", keyIndex: nil)) == "strata-tests")
    #expect(try await server.run("GET", "k") == .null)
    #expect(try await server.run("INFO", "keyspace").text?.contains("db3:keys=1") == true)
  }

  @Test func anUnknownDatabaseIsRefused() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port) { $0.database = 99 }
    #expect(await connectionError { try await node.send(ping) }?.kind == "refused")
  }

  /// A server without `HELLO`, the command that turns RESP3 on, is used with RESP2.
  @Test func serversWithoutHELLOUseRESP2() async throws {
    let server = try await RedisServer([
      "--rename-command", "HELLO", "NOTHELLO", "--requirepass", "secret",
    ])
    let node = RedisNode(port: server.port) {
      $0.password = "secret"
      $0.clientName = "old"
      $0.database = 1
    }
    _ = try await node.send(RedisCommand("HSET", "h", "f", "v"))
    // RESP3 would return a map.
    #expect(try await node.send(RedisCommand("HGETALL", "h")) == .array(["f", "v"]))
    #expect(try await node.get("none") == .null)
    #expect(try await node.send(RedisCommand("CLIENT", "GETNAME", keyIndex: nil)) == "old")
    let stranger = RedisNode(port: server.port) { $0.password = "wrong" }
    #expect(await connectionError { try await stranger.send(ping) }?.kind == "refused")
  }

  @Test func serversWithHELLOUseRESP3() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    _ = try await node.send(RedisCommand("HSET", "h", "f", "v"))
    #expect(try await node.send(RedisCommand("HGETALL", "h")) == .map(["f", "v"]))
  }

  @Test func unixSocketsAreSupported() async throws {
    // The path of a Unix socket may have about a hundred bytes.
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString.prefix(8)).sock")
      .path
    let server = try await RedisServer(["--unixsocket", path])
    let node = RedisNode(address: RedisAddress(path: path), config: RedisConfig())
    #expect(try await node.send(ping) == .simple("PONG"))
    server.kill()
    unlink(path)
    await until { !FileManager.default.fileExists(atPath: path) }
    let error = await #expect(throws: StorageError.self) {
      // The first calls may still be answered.
      for _ in 0..<10_000 { _ = try await node.send(RedisCommand("PING", keyIndex: nil, isIdempotent: true)) }
    }
    #expect(error?.place == path)
  }

  @Test(arguments: ["", "a\0b", String(repeating: "x", count: 200)])
  func invalidSocketPathsAreUnreachable(_ path: String) async throws {
    let node = RedisNode(address: RedisAddress(path: path), config: RedisConfig())
    #expect(await connectionError { try await node.send(ping) }?.kind == "unreachable")
  }

  /// The greeting's commands are sent on each new connection, before any call. Push messages are delivered in order
  /// with the replies.
  @Test func eachConnectionSendsTheGreeting() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let pushes = Shared<[RESPValue]>([])
    let changes = Shared<[RedisNode.LinkChange]>([])
    let node = RedisNode(
      port: proxy.port, greeting: [RedisCommand("CLIENT", "TRACKING", "ON", keyIndex: nil)],
      onPush: { push in pushes.change { $0.append(push) } },
      onLinkChange: { change in changes.change { $0.append(change) } })
    for round in 1...2 {
      _ = try await node.sendWhenItIsBack(RedisCommand("GET", "k", isIdempotent: true))
      try await server.run("SET", "k", "v")
      await until { pushes.value.count == round }
      #expect(pushes.value.last == .push(["invalidate", .array(["k"])]))
      proxy.cutAll()
      await until { changes.value.count >= 2 * round }
    }
    #expect(changes.value.prefix(4) == [.up(1), .down(1), .up(2), .down(2)])
  }

  @Test func aRefusedGreetingEndsTheConnection() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port, greeting: [RedisCommand("NONSENSE", keyIndex: nil)])
    #expect(await connectionError { try await node.send(ping) }?.kind == "refused")
  }

  /// Servers before Redis 6.2 lack `SET … GET`, which most writes use. The error names their version.
  @Test(arguments: [
    ("redis", "6.0.16", true), ("redis", "5.9", true), ("redis", "6.2.0", false), ("redis", "7.0.15", false),
    ("redis", "10.0", false), ("valkey", "1.0", false), ("redis", "unstable", false),
  ])
  func serversBeforeRedis62AreRefused(_ server: String, _ version: String, _ isRefused: Bool) {
    let handshake = Handshake(RedisConfig(), RedisCredentials(), greeting: [])
    let map: [RESPValue] = ["server", .bulk(text(server)), "version", .bulk(text(version))]
    for reply in [RESPValue.map(map), .array(map)] {
      var handshake = handshake
      guard case .refused(let refusal) = handshake.receive(reply) else {
        #expect(!isRefused)
        continue
      }
      let error = StorageError.refusal(refusal, by: nil)
      #expect(isRefused && error == .invalidConfiguration)
      #expect(error.message.contains("6.2") && error.message.contains(version))
    }
  }
}
