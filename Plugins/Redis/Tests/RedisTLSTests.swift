import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// Encrypted connections to real servers.
@Suite(.timeLimit(.minutes(10)))
struct RedisTLSTests {
  private let certificates: Certificates
  private let ping = RedisCommand("PING", keyIndex: nil, isIdempotent: true)

  init() async throws { certificates = try await Certificates.all.value }

  private func open() -> [String] { certificates.server("--tls-auth-clients", "no") }

  private func node(_ port: Int, _ change: (inout RedisTLS) -> Void = { _ in }) -> RedisNode {
    RedisNode(port: port) {
      var tls = certificates.tls
      change(&tls)
      $0.tls = tls
    }
  }

  /// Returns the reason why the server could not be reached.
  private func refusal(_ node: RedisNode) async -> String? {
    guard case .unreachable(let reason)? = await connectionError({ try await node.send(ping) }) else {
      return nil
    }
    return reason
  }

  @Test(arguments: [false, true])
  func tasksShareAConnection(_ inPieces: Bool) async throws {
    let server = try await RedisServer(open())
    let proxy = Proxy(to: server)
    for direction in Proxy.Direction.allCases { proxy.split(inPieces, direction) }
    let node = node(proxy.port)
    try await withThrowingTaskGroup { group in
      for task in 0..<20 {
        group.addTask {
          for round in 0..<(inPieces ? 3 : 100) {
            let reply = try await node.send(RedisCommand("ECHO", .text("\(task):\(round)"), keyIndex: nil))
            #expect(reply == .bulk(Data("\(task):\(round)".utf8)))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(proxy.accepted == 1)
  }

  @Test func largeValuesAreSentAndReceived() async throws {
    let server = try await RedisServer(open())
    let node = node(server.port)
    let value = large(20_000_000)
    try await withThrowingTaskGroup { group in
      for key in 0..<3 {
        group.addTask {
          _ = try await node.send(RedisCommand("SET", .integer(key), .bytes(value)))
          let stored = try await node.get("\(key)")
          #expect(stored == .bulk(value))
        }
      }
      try await group.waitForAll()
    }
  }

  /// The first bytes that a client sends are a TLS handshake, and none of them is the password.
  @Test func nothingIsSentUnencrypted() async throws {
    let (listener, port) = Loopback.listener()
    async let received = onThread {
      let client = accept(listener, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(client, &bytes, bytes.count, 0)
      close(client)
      close(listener)
      return Array(bytes.prefix(max(count, 0)))
    }
    let node = RedisNode(port: port) {
      $0.tls = certificates.tls
      $0.password = "secret1815"
    }
    _ = await connectionError { try await node.send(ping) }
    let bytes = try await received
    // The type of a TLS handshake record.
    #expect(bytes.first == 22)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("secret1815"))
  }

  @Test func theServersCertificateIsVerified() async throws {
    let server = try await RedisServer(open())
    #expect(try await node(server.port) { $0.serverName = "redis.test" }.send(ping) == .simple("PONG"))
    #expect(
      await refusal(node(server.port) { $0.serverName = "other.test" })?.contains("certificate") == true)
    let stranger = certificates.path("stranger.pem")
    #expect(await refusal(node(server.port) { $0.authorities = stranger })?.contains("certificate") == true)
    #expect(await refusal(node(server.port) { $0.authorities = nil })?.contains("certificate") == true)
    let named = RedisNode(
      address: RedisAddress(host: "localhost", port: UInt16(server.port)),
      config: RedisConfig(tls: certificates.tls))
    #expect(await refusal(named)?.contains("certificate") == true)
  }

  @Test func theClientsCertificateIsSent() async throws {
    let server = try await RedisServer(certificates.server())
    let (certificate, key) = (certificates.path("client.pem"), certificates.path("client.key"))
    let known = node(server.port) {
      $0.certificate = certificate
      $0.privateKey = key
    }
    #expect(try await known.send(ping) == .simple("PONG"))
    #expect(await refusal(node(server.port)) != nil)
  }

  @Test(arguments: ["none.pem", "server.key"])
  func invalidCertificateFilesAreNamed(_ name: String) async throws {
    let path = certificates.path(name)
    let server = try await RedisServer(open())
    let node = node(server.port) { $0.authorities = path }
    #expect(await refusal(node)?.contains(path) == true)
  }

  @Test func connectingFailsIfOnlyOneSideUsesTLS() async throws {
    let plain = try await RedisServer()
    let encrypted = try await RedisServer(open())
    // The server without TLS reads the handshake as the beginning of a command, and waits for the rest.
    let secretive = RedisNode(port: plain.port) {
      $0.tls = certificates.tls
      $0.connectTimeout = .milliseconds(200)
    }
    #expect(await refusal(secretive) != nil)
    #expect(await refusal(RedisNode(port: encrypted.port)) != nil)
  }

  @Test func theClientReconnectsAfterARestart() async throws {
    let server = try await RedisServer(open())
    let node = node(server.port)
    #expect(try await node.send(ping) == .simple("PONG"))
    server.kill()
    try await server.restart()
    #expect(try await node.sendWhenItIsBack(ping) == .simple("PONG"))
  }

  @Test func theHandshakeTimesOut() async throws {
    let server = try await RedisServer(open())
    server.freeze()
    let node = RedisNode(port: server.port) {
      $0.tls = certificates.tls
      $0.connectTimeout = .milliseconds(50)
    }
    #expect(await refusal(node) != nil)
  }
}
