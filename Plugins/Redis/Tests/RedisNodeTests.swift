import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

@Suite(.timeLimit(.minutes(10)))
struct RedisNodeTests {
  @Test func commandsAreAnswered() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    #expect(try await node.send(RedisCommand("SET", "k", "v")) == .simple("OK"))
    #expect(try await node.get("k") == "v")
    #expect(try await node.get("none") == .null)
    #expect(try await server.run("GET", "k") == .bulk(Data("v".utf8)))
  }

  /// A refusal affects only its command, not the connection.
  @Test func refusalsAreReplies() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    let replies = try await node.send([
      RedisCommand("SET", "k", "text"), RedisCommand("INCR", "k"), RedisCommand("LPUSH", "k", "x"),
      RedisCommand("GET", "k"),
    ])
    #expect(replies.map { $0.failure?.code } == [nil, "ERR", "WRONGTYPE", nil])
    #expect(replies.last == "text")
  }

  @Test func repliesOfAPipelineAreInOrder() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    let numbers = 0..<5000
    let replies = try await node.send(numbers.map { RedisCommand("ECHO", .integer($0), keyIndex: nil) })
    #expect(replies == numbers.map { .bulk(Data("\($0)".utf8)) })
    #expect(try await node.send([]) == [])
  }

  /// Each task receives its own replies over the shared connections, also when replies arrive in pieces.
  @Test(arguments: [1, 3], [false, true])
  func tasksShareConnections(_ connections: Int, _ inPieces: Bool) async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    for direction in Proxy.Direction.allCases { proxy.split(inPieces, direction) }
    let node = RedisNode(port: proxy.port) { $0.connections = connections }
    try await withThrowingTaskGroup { group in
      for task in 0..<50 {
        group.addTask {
          for round in 0..<(inPieces ? 5 : 100) {
            let text = "\(task):\(round)"
            if round % 3 == 0 {
              let both = try await node.send([
                RedisCommand("ECHO", .text(text), keyIndex: nil), RedisCommand("PING", keyIndex: nil),
              ])
              #expect(both == [.bulk(Data(text.utf8)), .simple("PONG")])
            } else {
              let reply = try await node.send(RedisCommand("ECHO", .text(text), keyIndex: nil))
              #expect(reply == .bulk(Data(text.utf8)))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(proxy.accepted == connections)
  }

  /// Values larger than the system's buffers, in both directions, with concurrent small ones.
  @Test func largeAndSmallValuesShareAConnection() async throws {
    let server = try await RedisServer()
    let node = RedisNode(port: server.port)
    let value = large(20_000_000)
    try await withThrowingTaskGroup { group in
      for key in 0..<4 {
        group.addTask {
          _ = try await node.send(RedisCommand("SET", .integer(key), .bytes(value)))
          let stored = try await node.get("\(key)")
          #expect(stored == .bulk(value))
        }
        group.addTask {
          for _ in 0..<100 {
            let reply = try await node.get("none")
            #expect(reply == .null)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func askingPrecedesEachCommand() async throws {
    let server = try await RedisServer(["--cluster-enabled", "yes"])
    let node = RedisNode(port: server.port)
    // The node has no slots, so only its statistics show that it accepted ASKING.
    let replies = try await node.send(
      [RedisCommand("PING", keyIndex: nil), RedisCommand("ECHO", "x", keyIndex: nil)], asking: true)
    #expect(replies == [.simple("PONG"), "x"])
    #expect(try await server.run("INFO", "commandstats").text?.contains("cmdstat_asking:calls=2,") == true)
  }

  @Test func aClosedNodeRefusesCalls() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let node = RedisNode(port: proxy.port)
    _ = try await node.get("k")
    proxy.hold(.toClient)
    let passed = proxy.passed(.toServer)
    async let waiting = connectionError { try await node.get("k") }
    await until { proxy.passed(.toServer) > passed }
    node.close()
    #expect(await waiting == .closed)
    #expect(await connectionError { try await node.get("k") } == .closed)
    #expect(await connectionError { try await node.exclusive { _ in 1 } } == .closed)
    proxy.release(.toClient)
    await until { proxy.lines == 0 }
  }

  @Test func aReleasedNodeEndsItsConnections() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    do {
      let node = RedisNode(port: proxy.port)
      _ = try await node.get("k")
      _ = try await node.exclusive { try await $0.send([RedisCommand("PING", keyIndex: nil)]) }
      #expect(proxy.lines == 2)
    }
    await until { proxy.lines == 0 }
  }
}
