import Foundation
import TestSupport
import Testing

@testable import StrataPostgres

/// Creation of a store's table, and use of existing tables.
@Suite(.endsInTime) struct PostgresTableTests {
  private let server: PostgresServer

  init() async throws { server = try await PostgresServer.shared.value }

  @Test("of 20 clients that start at once, one creates the table and the triggers")
  func atOnce() async throws {
    let server = server
    let peers = try (0..<20).map { number in
      try Peer(server.config, table: "at once \(number % 2)")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, peer) in peers.enumerated() {
        group.addTask {
          try await peer.back.setObject(text("\(number)"), forKey: "\(number)")
          #expect(try await peer.warm("\(number)") == number)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await peers[0].back.keys().count == 10)
    #expect(
      try await server.run("SELECT count(*) FROM pg_indexes WHERE tablename LIKE 'at once%'") == "4")
    #expect(
      try await server.run("SELECT count(*) FROM pg_trigger WHERE tgrelid = '\"at once 0\"'::regclass") == "4"
    )
  }

  @Test(
    "a name may have quotes, spaces and capitals",
    arguments: ["it's", "a \"b\" c", "SELECT", "ü", "$strata$"])
  func names(_ name: String) async throws {
    let store = try server.store(name)
    try await store.setObject(text("1"), forKey: "a")
    let peer = try Peer(server.config, table: name)
    #expect(try await peer.warm("a") == 1)
    try await store.setObject(text("2"), forKey: "a")
    await peer.forgets("a", 1)
  }

  @Test(arguments: ["", String(repeating: "n", count: 64), "a\0b"]) func invalidNamesAreRefused(
    _ name: String
  ) {
    #expect(throws: StorageError.invalidConfiguration) {
      try PostgresStorage<String>(config: PostgresConfig(), table: name)
    }
  }

  @Test("other programs can read keys, values and dates in the table")
  func readable() async throws {
    let store = try server.store("readable")
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    try await store.setObject(text("Ada"), forKey: "naïve", expiry: .date(date))
    #expect(
      try await server.run(
        "SELECT convert_from(key, 'UTF8'), convert_from(value, 'UTF8'), extract(epoch FROM expires)::bigint FROM readable"
      ) == "naïve|Ada|1800000000")
    try await server.run("INSERT INTO readable (key, value) VALUES ('theirs', 'x')")
    #expect(try await store.entry(forKey: "theirs") == Entry(object: text("x")))
    #expect(try await store.keys() == ["naïve", "theirs"])
  }

  @Test("tables are created logged or unlogged, as configured")
  func durability() async throws {
    for (durability, code) in [(PostgresDurability.durable, "p"), (.unlogged, "u")] {
      let store = try PostgresStorage<String>(
        client: PostgresClient(config: server.config), table: "kind \(code)", durability: durability)
      try await store.setObject(text("1"), forKey: "a")
      #expect(
        try await server.run("SELECT relpersistence FROM pg_class WHERE relname = 'kind \(code)'") == code)
    }
  }

  @Test("A table can be created in an existing schema; a missing schema is an error")
  func schemas() async throws {
    let client = PostgresClient(config: server.config)
    let missing = try PostgresStorage<String>(client: client, table: "t", schema: "nowhere")
    let error = await failure { try await missing.setObject(text("1"), forKey: "a") }
    #expect(error == .invalidConfiguration)
    #expect((error?.cause as? PostgresServerError)?.sqlState == "3F000")
    try await server.run("CREATE SCHEMA \"Their own\"")
    let store = try PostgresStorage<String>(client: client, table: "t", schema: "Their own")
    try await store.setObject(text("1"), forKey: "a")
    #expect(try await server.run("SELECT count(*) FROM \"Their own\".t") == "1")
    #expect(store.invalidationSource != nil)
    await until { store.maker.isAnnouncing }
  }

  @Test("A dropped table is created again")
  func dropped() async throws {
    let store = try server.store("dropped")
    try await store.setObject(text("1"), forKey: "a")
    try await server.run("DROP TABLE dropped")
    #expect(try await store.entryIfPresent(forKey: "a") == nil)
    try await store.setObject(text("2"), forKey: "a")
    #expect(try await store.object(forKey: "a") == text("2"))
  }

  @Test(
    "memory in front is emptied when its table is dropped, and learns of later changes",
    arguments: [true, false])
  func droppedBehindMemory(_ isMadeByStore: Bool) async throws {
    let table = "dropped behind memory \(isMadeByStore)"
    var config = server.config
    config.heartbeat = .seconds(1)
    let (one, two) = (try Peer(config, table: table), try Peer(config, table: table))
    for (number, peer) in [one, two].enumerated() {
      try await peer.chain.setObject(number, forKey: "a")
      #expect(try await peer.warm("a") == number)
    }
    if isMadeByStore {
      try await server.run("DROP TABLE \"\(table)\"")
      // The store makes the table again for this write.
      try await one.back.setObject(text("2"), forKey: "a")
    } else {
      // Another program replaces the table, without triggers.
      try await server.run(
        """
        BEGIN;
        ALTER TABLE "\(table)" RENAME TO "old \(isMadeByStore)";
        CREATE TABLE "\(table)" (key bytea PRIMARY KEY, name bytea, value bytea NOT NULL, expires timestamptz);
        INSERT INTO "\(table)" (key, value) VALUES ('a', '2');
        COMMIT;
        """)
    }
    await two.forgets("a", 1)
    for peer in [one, two] { #expect(try await peer.warm("a") == 2) }
    try await server.run("UPDATE \"\(table)\" SET value = '3'")
    for peer in [one, two] { await peer.forgets("a", 2) }
  }

  @Test("memory in front is emptied when its table is dropped and no call finds that out")
  func droppedUnnoticed() async throws {
    var config = server.config
    config.heartbeat = .seconds(1)
    let peer = try Peer(config, table: "dropped unnoticed")
    try await peer.chain.setObject(1, forKey: "a")
    #expect(try await peer.warm("a") == 1)
    try await server.run("DROP TABLE \"dropped unnoticed\"")
    await peer.forgets("a", 1)
    #expect(try await peer.chain.objectIfPresent(forKey: "a") == nil)
    try await peer.chain.setObject(2, forKey: "a")
    #expect(try await peer.warm("a") == 2)
    try await server.run("UPDATE \"dropped unnoticed\" SET value = '3'")
    await peer.forgets("a", 2)
  }

  @Test("A table with other columns is refused and not changed")
  func foreign() async throws {
    try await server.run("CREATE TABLE theirs (id int); INSERT INTO theirs VALUES (1)")
    let store = try server.store("theirs")
    for error in [
      await failure { try await store.setObject(text("1"), forKey: "a") },
      await failure { try await store.object(forKey: "a") }, await failure { try await store.removeAll() },
    ] {
      #expect(error == .invalidConfiguration, "\(String(describing: error))")
    }
    #expect(try await server.run("SELECT count(*) FROM theirs") == "1")
  }

  @Test("an existing table needs no permission to create tables; if the table is missing, the error says so")
  func permissions() async throws {
    try await server.run(
      """
      CREATE ROLE reader LOGIN PASSWORD '\(PostgresServer.password)';
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      """)
    let owner = try server.store("permitted")
    try await owner.setObject(text("1"), forKey: "a")
    try await server.run("GRANT SELECT ON permitted TO reader")
    let store = try server.store("permitted") { $0.user = "reader" }
    #expect(try await store.object(forKey: "a") == text("1"))
    #expect(await failure { try await store.setObject(text("2"), forKey: "a") } == .invalidConfiguration)
    let missing = try server.store("not permitted") { $0.user = "reader" }
    let error = await failure { try await missing.object(forKey: "a") }
    #expect(error == .invalidConfiguration)
    #expect((error?.cause as? PostgresServerError)?.sqlState == "42501")
  }

  @Test("A read-only store creates nothing, and refuses every write")
  func readOnly() async throws {
    let reader = try server.store("only read") { $0.isReadOnly = true }
    for error in [
      await failure { try await reader.entryIfPresent(forKey: "a") },
      await failure { try await reader.entries(forKeys: ["a"]) }, await failure { try await reader.keys() },
    ] {
      #expect(error == .notFound)
      #expect(error?.message.contains("only read") == true)
    }
    #expect(reader.invalidationSource == nil)
    #expect(try await server.run("SELECT count(*) FROM pg_class WHERE relname = 'only read'") == "0")

    try await server.store("only read").setObject(text("1"), forKey: "a")
    #expect(try await reader.object(forKey: "a") == text("1"))
    #expect(try await reader.keys() == ["a"])
    for error in [
      await failure { try await reader.setObject(text("2"), forKey: "a") },
      await failure { try await reader.setObjects(["a": text("2")], expiry: nil) },
      await failure { try await reader.setIfAbsent(text("2"), forKey: "b", expiry: nil) },
      await failure { try await reader.touch(forKey: "a", expiry: .never) },
      await failure { try await reader.increment(forKey: "n", by: 1) },
      await failure { try await reader.update(forKey: "a") { $0 = text("2") } },
      await failure { try await reader.removeObject(forKey: "a") },
      await failure { try await reader.removeObjects(forKeys: ["a"]) },
      await failure { try await reader.removeAll() },
      await failure { try await reader.removeExpiredObjects() },
      await failure { try await reader.acquire("a", for: .seconds(1)) },
    ] {
      #expect(error == .readOnly)
    }
    #expect(try await reader.object(forKey: "a") == text("1"))
  }

  @Test("pages of keys have constant size, and list each key once while others are added")
  func pages() async throws {
    let store = try server.store("pages")
    let long = String(repeating: "l", count: 3000)
    let keys = (0..<250).map { "key \($0)" } + [long, ""]
    try await store.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, text("1")) }), expiry: nil)
    try await store.setObject(text("1"), forKey: "expired", expiry: .date(.distantPast))
    var seen: [String] = []
    for try await page in store.keyPages(limit: 10) {
      #expect(page.count <= 10)
      seen += page
      try await store.setObject(text("2"), forKey: "key 0 added \(seen.count)")
    }
    #expect(Set(seen).count == seen.count)
    #expect(Set(seen).isSuperset(of: keys))
    #expect(!seen.contains("expired"))
  }

  @Test("after ALTER TABLE, statements that were prepared before are prepared again", arguments: [1, 4])
  func altered(_ connections: Int) async throws {
    let table = "altered \(connections)"
    let store = try server.store(table) { $0.connections = connections }
    func use() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in 0..<8 {
          group.addTask {
            try await store.setObject(text("value"), forKey: "\(key)")
            #expect(try await store.object(forKey: "\(key)") == text("value"))
            _ = try await store.increment(forKey: "count", by: 1)
          }
        }
        try await group.waitForAll()
      }
    }
    try await use()
    for digits in [3, 6, 2] {
      // The server refuses plans whose results now have another type: "cached plan must not change result type".
      try await server.run("ALTER TABLE \"\(table)\" ALTER COLUMN expires TYPE timestamptz(\(digits))")
      try await use()
    }
    #expect(try await store.entries(forKeys: ["1"]).count == 1)
    #expect(store.client.listener.pool.preparing.isOn)
  }
}
