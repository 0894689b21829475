import Foundation
import Strata
import TestSupport
import Testing

@testable import StrataPostgres

/// A store behind PgBouncer in transaction mode, where each transaction may run on a different connection to the
/// server.
@Suite(.endsInTime) struct PgBouncerTests {
  @Test("calls work, whether prepared statements are configured or not", arguments: [true, false])
  func calls(_ prepares: Bool) async throws {
    let pooler = try await PgBouncer(to: PostgresServer.shared.value)
    let store = try pooler.store("pooled \(prepares)") { $0.preparedStatements = prepares }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<20 {
        group.addTask {
          for round in 0..<10 {
            try await store.setObject(text("\(round)"), forKey: "\(task)")
            #expect(try await store.object(forKey: "\(task)") == text("\(round)"))
            _ = try await store.increment(forKey: "all", by: 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.object(forKey: "all") == text("200"))
    try await store.setObjects(["a": text("1"), "b": text("2")], expiry: nil)
    _ = try await store.update(forKey: "a") { $0 = text("3") }
    #expect(
      try await store.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": text("3"), "b": text("2")])
    #expect(try await store.keys().count == 23)
  }

  @Test("memory in front is coherent if the listener connects to the server directly")
  func coherence() async throws {
    let server = try await PostgresServer.shared.value
    let pooler = try await PgBouncer(to: server)
    var config = pooler.config
    config.listening = PostgresAddress(host: "127.0.0.1", port: UInt16(server.port))
    let (one, two) = (try Peer(config, table: "pooled"), try Peer(config, table: "pooled"))
    for round in 0..<10 {
      try await one.chain.setObject(round, forKey: "a")
      #expect(try await two.warm("a") == round)
      try await one.chain.setObject(round + 100, forKey: "a")
      await two.forgets("a", round)
    }
  }

  @Test("A listener behind the pooler receives nothing: memory stays empty, so that no value is stale")
  func deafListener() async throws {
    let pooler = try await PgBouncer(to: PostgresServer.shared.value)
    var config = pooler.config
    config.heartbeat = .milliseconds(100)
    let one = try Peer(config, table: "deaf")
    for round in 0..<20 {
      try await one.back.setObject(text("\(round)"), forKey: "a")
      #expect(try await one.chain.object(forKey: "a") == round)
      #expect(one.chain.peek(forKey: "a") == nil)
    }
  }
}
