import Foundation
import TestSupport
import Testing

/// Checks the servers and proxies that the other tests use.
@Suite struct SupportTests {
  @Test func aServerAnswersUntilItIsKilled() async throws {
    let server = try await RedisServer()
    try await server.run("SET", "key", "value")
    #expect(try await server.run("GET", "key") == .bulk(Data("value".utf8)))
    server.kill()
    await #expect(throws: CannotStart.self) { try await server.run("PING") }
    try await server.restart()
    #expect(try await server.run("GET", "key") == .null)
  }

  @Test func aFrozenServerAnswersWhenItResumes() async throws {
    let server = try await RedisServer()
    let isAnswered = Shared(false)
    server.freeze()
    async let reply = onThread {
      let reply = try RawRedis(port: server.port).run("PING")
      isAnswered.change { $0 = true }
      return reply
    }
    #expect(!isAnswered.value)
    server.thaw()
    #expect(try await reply == .simple("PONG"))
  }

  @Test func aProxyPassesOnAllBytes() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let line = try RawRedis(port: proxy.port)
    var generator = SeededGenerator(seed: 1)
    let value = Data((0..<300_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    #expect(try line.run([Data("ECHO".utf8), value]) == .bulk(value))
  }

  @Test func aProxySplitsCutsAndHoldsBytes() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    for direction in Proxy.Direction.allCases { proxy.split(true, direction) }
    let line = try RawRedis(port: proxy.port)
    #expect(try line.run("ECHO", "in pieces") == .bulk(Data("in pieces".utf8)))
    #expect(proxy.passed(.toClient) == "$9\r\nin pieces\r\n".utf8.count)
    proxy.cut(after: 3, .toClient)
    #expect(throws: CannotStart.self) { try line.run("PING") }
    #expect(try RawRedis(port: proxy.port).run("PING") == .simple("PONG"))
    #expect(proxy.accepted == 2)
    proxy.hold(.toServer)
    async let held = onThread { try RawRedis(port: proxy.port).run("PING") }
    await until { proxy.accepted == 3 }
    proxy.release(.toServer)
    #expect(try await held == .simple("PONG"))
    proxy.stop()
    #expect(throws: CannotStart.self) { try RawRedis(port: proxy.port).run("PING") }
  }

  @Test func aClusterServesAllSlots() async throws {
    let cluster = try await RedisServers.shared.value
    for (slot, node) in [(0, 0), (5461, 0), (5462, 1), (10_923, 1), (10_924, 2), (16_383, 2)] {
      #expect(try await cluster.primary(of: slot).port == cluster.nodes[node].port)
    }
    // "foo" has the slot 12182.
    #expect(try await cluster.nodes[2].run("SET", "foo", "bar") == .simple("OK"))
    #expect(try await cluster.nodes[0].run("GET", "foo").text?.hasPrefix("MOVED 12182") == true)
    #expect(try await cluster.nodes[5].run("INFO", "replication").text?.contains("role:slave") == true)
  }
}
