import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataPostgres

/// Large values in parts, on a real server.
@Suite(.serialized, .endsInTime) struct PostgresStreamTests {
  private let server: PostgresServer

  init() async throws { server = try await PostgresServer.shared.value }

  private func parts(_ table: String) async throws -> Int {
    Int(try await server.run("SELECT count(*) FROM \"\(table)\" WHERE key >= '\\xfffb' AND key < '\\xfffc'"))
      ?? -1
  }

  @Test(arguments: StreamRule.allCases, [PostgresAnnouncing.statements])
  func keeps(_ rule: StreamRule, _ announcing: PostgresAnnouncing) async throws {
    let (server, time, table) = (server, ManualClock(), "streams \(rule)")
    try await rule.check(
      StreamSubject(clock: time) {
        try PostgresStorage<String>(
          client: PostgresClient(config: server.config), table: table, durability: .unlogged,
          announcing: announcing, clock: time.clock)
      } partCount: {
        try await parts(table)
      } damage: { number in
        try await server.run(
          """
          UPDATE "\(table)" SET value = set_byte(value, 500, (get_byte(value, 500) + 1) % 256)
          WHERE key >= '\\xfffb' AND key < '\\xfffc' AND get_byte(key, 21) = \(number)
          """)
      })
    // Nothing is left: neither parts nor what describes them.
    #expect(try await server.run("SELECT count(*) FROM \"\(table)\" WHERE key >= '\\xff'") == "0")
  }

  /// A trigger refuses to delete parts, as a server does that becomes read-only right after the entry was removed.
  @Test func partsThatCannotBeRemovedFailNoRemoval() async throws {
    let table = "kept parts"
    let store = try server.store(table)
    for key in ["a", "b", "c"] { try await store.write(forKey: key, from: PartSequence(noise(1 << 20))) }
    try await server.run(
      """
      CREATE FUNCTION keep_parts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF OLD.key >= '\\xfffb' AND OLD.key < '\\xfffc' THEN RAISE EXCEPTION 'kept'; END IF;
        RETURN OLD;
      END $$;
      CREATE TRIGGER keep_parts BEFORE DELETE ON "\(table)" FOR EACH ROW EXECUTE FUNCTION keep_parts()
      """)
    try await store.removeObject(forKey: "a")
    try await store.removeObjects(forKeys: ["b"])
    #expect(try await store.keys() == ["c"])
    try await store.removeAll()
    #expect(try await store.keys() == [])
    let count = try await parts(table)
    #expect(count > 0)
    await #expect(throws: StorageError.backendFailed) { try await store.removeExpiredObjects() }
    try await server.run("DROP TRIGGER keep_parts ON \"\(table)\"; DROP FUNCTION keep_parts")
    try await store.removeExpiredObjects()
    #expect(try await parts(table) == 0)
  }

  @Test func updatesCountersAndLeases() async throws {
    let store = try server.store("streams of all kinds")
    let long = noise(1 << 20)
    try await store.write(forKey: "a", expiry: .seconds(1000), from: PartSequence(long))
    await #expect(throws: StorageError.typeNotMatch) { try await store.increment(forKey: "a", by: 1) }
    let updated = try await store.update(forKey: "a") { $0.append(7) }
    #expect((updated == long + [7]) == true)
    let stored = try await store.entry(forKey: "a")
    #expect((stored.object == updated) == true)
    #expect(stored.expiry != .never)
    let lease = try #require(try await store.acquire("b", for: .seconds(100)))
    try await lease.whileHeld { try await store.write(forKey: "b", from: PartSequence(long)) }
    try await store.release(lease, of: "b")
    await #expect(throws: StorageError.leaseLost) {
      try await lease.whileHeld {
        try await store.write(forKey: "b", from: PartSequence(Data(long.reversed())))
      }
    }
    let kept = try await store.object(forKey: "b")
    #expect((kept == long) == true)
    // A key that is too long for the index.
    let key = String(repeating: "long ", count: 1000)
    try await store.write(forKey: key, from: PartSequence(long))
    #expect(try await store.keys().contains(key))
    #expect(try await store.read(forKey: key, range: 9..<12).data() == long[9..<12])
  }

  /// A table of an earlier version demands a value. Its owner changes that with the first stream; others cannot.
  @Test func aTableOfAnEarlierVersion() async throws {
    let table = "streams before"
    try await server.run(
      """
      CREATE TABLE "\(table)" (key bytea PRIMARY KEY, name bytea, value bytea NOT NULL, expires timestamptz);
      CREATE ROLE guest LOGIN PASSWORD '\(PostgresServer.password)';
      GRANT ALL ON "\(table)" TO guest
      """)
    let guest = try server.store(table) { $0.user = "guest" }
    try await guest.setObject(text("old"), forKey: "a")
    let refusal = await failure {
      try await guest.write(forKey: "a", from: PartSequence(noise(1 << 20)))
    }
    #expect(refusal == .invalidConfiguration)
    #expect(refusal?.message.contains("permission") == true)
    #expect(try await guest.object(forKey: "a") == text("old"))
    try await server.store(table).write(forKey: "a", from: PartSequence(noise(1 << 20)))
    try await guest.write(forKey: "b", from: PartSequence(noise(1 << 20)))
    #expect(try await guest.read(forKey: "a").length == 1 << 20)
    // Earlier versions read this column, and throw for NULL.
    #expect(
      try await server.run("SELECT count(*) FROM \"\(table)\" WHERE key < '\\xff' AND value IS NULL") == "2")
  }

  @Test func aKilledWriterLeavesTheOldValueAndItsPartsAreRemoved() async throws {
    if let arguments = SecondProcess.arguments {
      await SecondProcess.run {
        let store = try PostgresStorage<String>(
          config: PostgresConfig(url: arguments[0]), table: "streams killed")
        let staged = try await store.stage("a", nil, [])
        try await staged.append(noise(9 << 20))
        SecondProcess.say("staged")
        while true { try await Task.sleep(for: .seconds(60)) }
      }
    }
    let time = ManualClock()
    time.setDate(.now)
    let store = try PostgresStorage<String>(
      client: PostgresClient(config: server.config), table: "streams killed", clock: time.clock)
    try await store.write(forKey: "a", from: PartSequence(noise(2 << 20), by: 1 << 20))
    let program = try SecondProcess.start(words: [url])
    try await program.says("staged")
    program.signal(SIGKILL)
    #expect(program.wait() == .signal(SIGKILL))
    try await store.removeExpiredObjects()
    #expect(try await parts("streams killed") == 40, "the writer might be alive")
    #expect(try await store.keys() == ["a"])
    time.advance(by: stagingLease + 60)
    _ = try await store.stage("b", nil, [])
    #expect(try await parts("streams killed") == 8)
    #expect(try await store.read(forKey: "a").length == 2 << 20)
  }

  private var url: String {
    let password = PostgresServer.password.replacing(" ", with: "%20")
    return "postgres://strata:\(password)@127.0.0.1:\(server.port)/postgres"
  }

  #if os(Linux)
    @Test(.withoutSanitizer) func aLargeValueNeedsLittleMemory() async throws {
      let length = Soak.rounds(64 << 20, soak: 4 << 30) + 5
      if let arguments = SecondProcess.arguments {
        await SecondProcess.run {
          let store = try PostgresStorage<String>(
            config: PostgresConfig(url: arguments[0]), table: "streams memory", durability: .unlogged)
          SecondProcess.say("more \(try await memory(ofStreaming: length, store))")
        }
      }
      try expectLittleMemory("postgres", length, [url])
    }
  #endif
}
