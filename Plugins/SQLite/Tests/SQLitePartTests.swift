import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataSQLite

/// What is special about values in parts in a file of SQLite.
@Suite(.serialized, .endsInTime) struct SQLitePartTests {
  private let file = TestFile()
  private let time = ManualClock()

  private func open(maxSize: UInt = 0) throws -> SQLiteStorage<String> {
    try SQLiteStorage(
      config: SQLiteConfig(path: file.path, maxSize: maxSize, durability: .off, clock: time.clock))
  }

  private func rows(_ sql: String) throws -> [String] { try RawDatabase(file.path).rows(sql) }

  @Test func anotherProgramFindsTheParts() async throws {
    // Open until the end: the last connection that is closed locks the file.
    let store = try open()
    try await store.write(forKey: "large", from: PartSequence(noise(3 << 20), by: 1 << 20))
    defer { withExtendedLifetime(store) {} }
    // The bytes of a part are behind its checksum.
    let row = try rows(
      "SELECT hex(substr(bytes, 9, 2)), length(bytes) FROM entries_parts JOIN entries_values USING (id) "
        + "WHERE key = 'large' AND number = 8")
    let part = DividedValue.usualPartSize
    let start = noise(3 << 20).dropFirst(8 * part).prefix(2).hex.uppercased()
    #expect(row == ["\(start)|\(part + 8)"])
    #expect(try rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test func aKilledWriterLeavesTheOldValueAndItsPartsAreRemoved() async throws {
    if let arguments = SecondProcess.arguments {
      await SecondProcess.run {
        let store = try SQLiteStorage<String>(config: SQLiteConfig(path: arguments[0]))
        let staged = try await store.stage("a", nil, [])
        try await staged.append(noise(9 << 20))
        SecondProcess.say("staged")
        while true { try await Task.sleep(for: .seconds(60)) }
      }
    }
    time.setDate(.now)
    let store = try open()
    try await store.write(forKey: "a", from: PartSequence(noise(2 << 20), by: 1 << 20))
    let program = try SecondProcess.start(words: [file.path])
    try await program.says("staged")
    program.signal(SIGKILL)
    #expect(program.wait() == .signal(SIGKILL))
    #expect(try rows("SELECT count(*) FROM entries_parts") == ["40"])
    try await store.removeExpiredObjects()
    #expect(try rows("SELECT count(*) FROM entries_parts") == ["40"], "the writer might be alive")
    #expect(try await store.object(forKey: "a") == noise(2 << 20))
    #expect(try await store.keys() == ["a"])
    time.advance(by: stagingLease + 60)
    _ = try await store.stage("b", nil, [])
    #expect(try rows("SELECT count(*) FROM entries_parts") == ["8"])
    #expect(try await store.object(forKey: "a") == noise(2 << 20))
  }

  @Test func theLimitCountsPartsAndEvictsWholeValues() async throws {
    let store = try open(maxSize: 8 << 20)
    for number in 0..<4 {
      try await store.write(
        forKey: "\(number)", from: PartSequence(noise(3 << 20, seed: UInt64(number)), by: 1 << 20))
      #expect(try store.totalSize == (min(number, 1) + 1) * ((3 << 20) + 1))
    }
    #expect(try await store.keys().sorted() == ["2", "3"])
    #expect(try rows("SELECT bytes FROM entries_total") == ["\(2 * (3 << 20) + 2)"])
    // A use of the older one makes the other one go first.
    #expect(try await store.read(forKey: "2").length == 3 << 20)
    try await store.setObject(noise(2 << 20), forKey: "plain")
    #expect(try await store.keys().sorted() == ["2", "plain"])
    #expect(try rows("SELECT count(*) FROM entries_parts") == ["12"])
    // Too large: known before all of it is there.
    let staged = try await store.stage("2", nil, [])
    await #expect(throws: StorageError.tooLarge) {
      for _ in 0..<9 { try await staged.append(noise(1 << 20)) }
    }
    await staged.discard()
    #expect(try await store.object(forKey: "2") == noise(3 << 20, seed: 2))
    #expect(try rows("SELECT count(*) FROM entries_parts") == ["12"])
  }

  @Test func aFileWithTheTriggersOfAnEarlierVersionCountsParts() async throws {
    do {
      let store = try open(maxSize: 1 << 30)
      try await store.setObject(Data([1]), forKey: "a")
    }
    // The size as the first version computed it.
    let size = { (row: String) in "length(CAST(\(row).key AS BLOB)) + length(\(row).value)" }
    try RawDatabase(file.path).run(
      """
      DROP TRIGGER entries_added; DROP TRIGGER entries_changed;
      CREATE TRIGGER entries_added AFTER INSERT ON entries BEGIN
        UPDATE entries_total SET bytes = bytes + \(size("new"));
        INSERT OR REPLACE INTO entries_uses(id, used, size) VALUES (new.id, 1, \(size("new")));
      END;
      CREATE TRIGGER entries_changed AFTER UPDATE OF id, key, value ON entries BEGIN SELECT 1; END;
      """)
    let store = try open(maxSize: 1 << 30)
    try await store.write(forKey: "a", from: PartSequence(noise(2 << 20), by: 1 << 20))
    try await store.write(forKey: "b", from: PartSequence(noise(2 << 20), by: 1 << 20))
    #expect(try store.totalSize == 2 * ((2 << 20) + 1))
  }

  @Test func earlierVersionsRefuseAndOtherProgramsMayReplace() async throws {
    let store = try open()
    try await store.write(forKey: "a", expiry: .seconds(10), from: PartSequence(noise(2 << 20), by: 1 << 20))
    // Earlier versions throw for an expiry that is text, and sweep only numbers.
    #expect(try rows("SELECT typeof(expiry), substr(expiry, 57) FROM entries") == ["text|\(2 << 20)"])
    #expect(try rows("SELECT count(*) FROM entries WHERE expiry <= 1e12") == ["0"])
    try RawDatabase(file.path).run("UPDATE entries SET expiry = NULL, value = 'new' WHERE key = 'a'")
    #expect(try await store.object(forKey: "a") == Data("new".utf8))
    try await store.removeExpiredObjects()
    #expect(try rows("SELECT count(*) FROM entries_parts") == ["0"])
    // Without triggers, as INSERT OR REPLACE deletes: a sweep looks for it.
    try await store.write(forKey: "a", from: PartSequence(noise(2 << 20), by: 1 << 20))
    try RawDatabase(file.path).run("INSERT OR REPLACE INTO entries(key, value) VALUES ('a', 'newer')")
    try await store.removeExpiredObjects()
    #expect(try rows("SELECT count(*) FROM entries_parts") == ["0"])
    #expect(try await store.object(forKey: "a") == Data("newer".utf8))
  }

  @Test func aReadOnlyStoreReadsParts() async throws {
    try await open().write(forKey: "a", from: PartSequence(noise(2 << 20), by: 1 << 20))
    var config = SQLiteConfig(path: file.path)
    config.isReadOnly = true
    let store = try SQLiteStorage<String>(config: config)
    #expect(
      try await store.read(forKey: "a", range: 5..<1 << 20).data()
        == noise(2 << 20).dropFirst(5).prefix((1 << 20) - 5))
    await #expect(throws: StorageError.readOnly) {
      try await store.write(forKey: "a", from: PartSequence(noise(2 << 20), by: 1 << 20))
    }
  }
}
