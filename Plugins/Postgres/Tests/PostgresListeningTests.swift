import Foundation
import Strata
import TestSupport
import Testing

@testable import StrataPostgres

@Suite("Memory in front of PostgreSQL", .endsInTime)
struct PostgresListeningTests {
  private func peers(_ table: String = #function) async throws -> (PostgresServer, Peer, Peer) {
    let server = try await PostgresServer.shared.value
    let table = String(table.prefix(30))
    return (server, try Peer(server.config, table: table), try Peer(server.config, table: table))
  }

  @Test("removes an entry when another process writes it, removes it, or changes its expiry")
  func changes() async throws {
    let (_, one, two) = try await peers()
    for round in 0..<30 {
      try await one.chain.setObject(round, forKey: "a")
      #expect(try await one.chain.object(forKey: "a") == round, "its own write, at once")
      if round > 0 { await two.forgets("a", round - 1) }
      #expect(try await two.warm("a") == round)
    }
    try await one.chain.setObjects(["a": 100, "b": 100], expiry: nil)
    await two.forgets("a", 29)
    #expect(try await two.warm("a") == 100)
    try await one.chain.removeObject(forKey: "a")
    await two.forgets("a", 100)
    #expect(try await two.chain.objectIfPresent(forKey: "a") == nil)
    #expect(try await two.warm("b") == 100)
    try await one.back.update(forKey: "b") { $0 = text("7") }
    await two.forgets("b", 100)
    #expect(try await two.warm("b") == 7)
    #expect(try await one.back.touch(forKey: "b", expiry: .seconds(1000)))
    await until { two.chain.peek(forKey: "b") == nil }
    #expect(try await two.warm("b") == 7)
    #expect(two.chain.peek(forKey: "b")?.expiry != .never)
    try await one.chain.removeAll()
    await two.forgets("b", 7)
    #expect(try await two.chain.objectIfPresent(forKey: "b") == nil)
  }

  @Test("removes entries when another program changes rows or keys, or truncates the table")
  func programs() async throws {
    let (server, one, _) = try await peers("programs")
    try await one.chain.setObject(1, forKey: "a")
    #expect(try await one.warm("a") == 1)
    try await server.run("UPDATE programs SET value = '2' WHERE key = 'a'")
    await one.forgets("a", 1)
    #expect(try await one.warm("a") == 2)
    try await server.run("UPDATE programs SET key = 'b' WHERE key = 'a'")
    await one.forgets("a", 2)
    #expect(try await one.warm("b") == 2)
    try await server.run("TRUNCATE programs")
    await one.forgets("b", 2)
    #expect(try await one.chain.objectIfPresent(forKey: "b") == nil)
  }

  /// The keys of one statement fill several notifications, or are too many to be sent one by one.
  @Test("removes all keys of a batch", arguments: [1, 30, 500, 4500])
  func batch(_ count: Int) async throws {
    let (_, one, two) = try await peers("batch \(count)")
    let keys = (0..<count).map { "some key number \($0)" + String(repeating: "k", count: 180) }
    let sample = [keys[0], keys[count / 2], keys[count - 1]]
    for key in sample { try await one.chain.setObject(0, forKey: key) }
    for key in sample { #expect(try await two.warm(key) == 0) }
    try await one.back.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, text("1")) }), expiry: nil)
    for key in sample { await two.forgets(key, 0) }
    for key in sample { #expect(try await two.chain.object(forKey: key) == 1) }
  }

  @Test("receives invalidations of keys of any text and length", arguments: ["", "\0", "é,\"'\\", "long"])
  func anyKey(_ key: String) async throws {
    let (_, one, two) = try await peers("any key")
    let key = key == "long" ? String(repeating: "k", count: 9000) : key
    try await one.chain.setObject(1, forKey: key)
    #expect(try await two.warm(key) == 1)
    try await one.chain.setObject(2, forKey: key)
    await two.forgets(key, 1)
    #expect(try await two.chain.object(forKey: key) == 2)
  }

  @Test("keeps its other entries when a process removes the expired ones")
  func sweep() async throws {
    let (server, one, two) = try await peers("sweep")
    try await one.chain.setObject(1, forKey: "a")
    #expect(try await two.warm("a") == 1)
    let notifications = Shared(0)
    let token = try #require(two.back.invalidationSource).listen { _ in notifications.change { $0 += 1 } }
    try await one.back.setObject(text("1"), forKey: "old", expiry: .date(.distantPast))
    await until { notifications.value == 1 }
    try await one.back.removeExpiredObjects()
    #expect(try await server.run("SELECT count(*) FROM sweep") == "1")
    // A notification of the sweep would arrive before the one of this write.
    try await one.back.setObject(text("1"), forKey: "new")
    await until { notifications.value >= 2 }
    #expect(notifications.value == 2)
    #expect(two.chain.peek(forKey: "a")?.object == 1)
    token.cancel()
  }

  @Test("drops all entries when its listener is terminated, and receives invalidations over the next one")
  func endedListener() async throws {
    let (server, one, two) = try await peers("ended")
    for round in 0..<5 {
      try await two.chain.setObject(round, forKey: "a")
      #expect(try await eventually { try await one.warm("a") } == round)
      try await server.endListeners()
      try await two.back.setObject(text("\(round + 100)"), forKey: "a")
      await one.forgets("a", round)
      #expect(try await one.chain.object(forKey: "a") == round + 100)
    }
  }

  @Test("drops all entries when its connection is cut or stalls", arguments: [false, true])
  func cutLine(_ isDead: Bool) async throws {
    let server = try await PostgresServer.shared.value
    let proxy = Proxy(to: server.port)
    var config = server.config
    config.heartbeat = .milliseconds(300)
    // Only the listener connects through the proxy.
    config.listening = PostgresAddress(host: "127.0.0.1", port: UInt16(proxy.port))
    let one = try Peer(config, table: "cut \(isDead)")
    let two = try Peer(server.config, table: "cut \(isDead)")
    for round in 0..<3 {
      try await two.back.setObject(text("\(round * 10)"), forKey: "a")
      #expect(try await eventually { try await one.warm("a") } == round * 10)
      // The proxy holds the server's notification back.
      proxy.hold(.toClient)
      try await two.back.setObject(text("\(round * 10 + 1)"), forKey: "a")
      if !isDead { proxy.cutAll() }
      await one.forgets("a", round * 10)
      #expect(try await one.chain.object(forKey: "a") == round * 10 + 1)
      proxy.release(.toClient)
    }
  }

  @Test("drops all entries when the server crashes, and caches only current values afterwards")
  func crash() async throws {
    let server = try await PostgresServer()
    var config = server.config
    config.timeout = .seconds(3)
    let (one, two) = (try Peer(config, table: "numbers"), try Peer(config, table: "numbers"))
    try await one.chain.setObject(1, forKey: "a")
    #expect(try await one.warm("a") == 1)
    server.crash()
    await one.forgets("a", 1)
    await #expect(throws: StorageError.backendFailed) { try await one.chain.object(forKey: "a") }
    try await server.restart()
    // PostgreSQL empties an unlogged table after a crash.
    #expect(try await eventually { try await one.chain.objectIfPresent(forKey: "a") == nil })
    try await eventually { try await two.chain.setObject(2, forKey: "a") }
    #expect(try await eventually { try await one.warm("a") } == 2)
    try await two.chain.setObject(3, forKey: "a")
    await one.forgets("a", 2)
  }

  @Test("calls throw if the role may not create triggers; the store then works without invalidations")
  func forbidden() async throws {
    let server = try await PostgresServer.shared.value
    let owner = try server.store("forbidden")
    try await owner.setObject(text("1"), forKey: "a")
    try await server.run(
      """
      CREATE ROLE plain LOGIN PASSWORD '\(PostgresServer.password)';
      GRANT SELECT, INSERT, UPDATE, DELETE ON forbidden TO plain;
      """)
    var config = server.config
    config.user = "plain"
    let one = try Peer(config, table: "forbidden")
    await until { one.back.maker.isForbidden }
    let error = await failure { try await one.chain.object(forKey: "a") }
    #expect(error == .invalidConfiguration)
    #expect(error?.description.contains("permission") == true, "\(String(describing: error))")
    let other = try Peer(config, table: "forbidden", announcing: .off)
    #expect(try await other.warm("a") == 1)
  }
}
