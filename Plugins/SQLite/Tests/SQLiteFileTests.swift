#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import StrataSQLite
import TestSupport
import Testing

/// The file as other programs read and change it.
@Suite struct SQLiteFileTests {
  let file = TestFile()

  @Test func anotherProgramReadsTheEntries() throws {
    let store = try file.open()
    try store.setObject(text("buy milk"), forKey: "today", expiry: .never)
    try store.setObject(
      text("rent"), forKey: "month", expiry: .date(Date(timeIntervalSince1970: 1_800_000_000.25)))
    let rows = try file.raw().rows(
      "SELECT key, CAST(value AS TEXT), expiry, datetime(expiry, 'unixepoch'), typeof(key), typeof(value) "
        + "FROM entries ORDER BY id")
    #expect(
      rows == [
        "today|buy milk|NULL|NULL|text|blob",
        "month|rent|1800000000.25|2027-01-15 08:00:00|text|blob",
      ])
  }

  @Test func theSchemaContainsAnExplanation() throws {
    _ = try file.open()
    let schema = try file.raw().rows("SELECT sql FROM sqlite_master WHERE name = 'entries'")
    #expect(schema.first?.contains("A store of Strata, version 1: one row an entry.") == true)
    #expect(schema.first?.contains("seconds since 1970") == true)
  }

  @Test func changesByAnotherProgramAreSeenAtOnce() throws {
    let store = try file.open()
    let raw = try file.raw()
    try store.setObject(text("old"), forKey: "a")
    #expect(try store.object(forKey: "a") == text("old"))
    try raw.run("UPDATE entries SET value = 'new' WHERE key = 'a'")
    #expect(try store.object(forKey: "a") == text("new"))
    try raw.run("INSERT INTO entries(key, expiry, value) VALUES ('b', 32503680000, x'00ff')")
    #expect(
      try store.entry(forKey: "b")
        == Entry(object: Data([0, 255]), expiry: .date(Date(timeIntervalSince1970: 32_503_680_000))))
    try raw.run("DELETE FROM entries")
    #expect(try store.keys().isEmpty)
    #expect(try store.entryIfPresent(forKey: "a") == nil)
  }

  @Test func aDroppedTableIsRecreatedEmpty() throws {
    let store = try file.open(maxSize: 1000)
    try store.setObject(text("1"), forKey: "a")
    let raw = try file.raw()
    try raw.run("DROP TABLE entries; DROP TABLE entries_uses; DROP TABLE entries_total")
    #expect(try store.entryIfPresent(forKey: "a") == nil)
    try raw.run("DROP TABLE entries; DROP TABLE entries_uses; DROP TABLE entries_total")
    try store.setObject(text("2"), forKey: "b")
    #expect(try store.keys() == ["b"])
    #expect(try store.totalSize == 2)
  }

  @Test func aTableOfAnotherProgramIsLeftUnchanged() throws {
    let store = try file.open()
    let raw = try file.raw()
    try raw.run("DROP TABLE entries; CREATE TABLE entries (a); INSERT INTO entries VALUES (1)")
    #expect(failure { try store.object(forKey: "a") } == .invalidConfiguration)
    #expect(
      failure { try store.setObject(text("1"), forKey: "a") } == .invalidConfiguration)
    #expect(try raw.rows("SELECT * FROM entries") == ["1"])
  }

  @Test func theRowsOfABatchAreWrittenInTheOrderOfTheirKeys() throws {
    let keys = (0..<1000).map { "\(UInt32(truncatingIfNeeded: $0 &* 2_654_435_761))é" }
    let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, text($0)) })
    for (table, maxSize) in [("entries", UInt(0)), ("limited", 1 << 20)] {
      let store = try file.open(table: table, maxSize: maxSize)
      try store.setObjects(values, expiry: nil)
      #expect(try file.raw().rows("SELECT key FROM \(table) ORDER BY id") == keys.sorted())
      try store.removeAll()
      try store.setEntries(values.mapValues { Entry(object: $0) })
      #expect(try file.raw().rows("SELECT key FROM \(table) ORDER BY id") == keys.sorted())
    }
  }

  @Test func keysAreStoredInTheirCanonicalForm() throws {
    let store = try file.open()
    try store.setObject(text("1"), forKey: "Ame\u{301}lie")
    #expect(try store.object(forKey: "Am\u{E9}lie") == text("1"))
    #expect(try file.raw().rows("SELECT hex(key) FROM entries") == ["416DC3A96C6965"])
    try store.setObject(text("2"), forKey: "a\0b")
    #expect(try store.object(forKey: "a\0b") == text("2"))
    #expect(try store.entryIfPresent(forKey: "a") == nil)
    #expect(try file.raw().rows("SELECT hex(key) FROM entries WHERE id = 2") == ["610062"])
  }

  @Test func keysThatNoReadCanFindAreNotListed() throws {
    let texts = try file.open()
    try texts.setObject(text("1"), forKey: "seven")
    let raw = try file.raw()
    try raw.run("INSERT INTO entries(key, value) VALUES (CAST(x'65CC81' AS TEXT), ''), (x'37', '')")
    try raw.run("INSERT INTO entries(key, value) VALUES (CAST(x'FF' AS TEXT), '')")
    #expect(try texts.keys() == ["seven"])
    let numbers = try file.open(Int.self)
    try numbers.setObject(text("2"), forKey: 8)
    try texts.setObject(text("3"), forKey: "08")
    #expect(try numbers.keys() == [8])
    // The key type reads any text, but writes lower case.
    try texts.setObject(text("4"), forKey: "Seven")
    #expect(try file.open(Name.self).keys().map(\.storageKey).sorted() == ["08", "8", "seven"])
  }

  @Test func anInvalidRowThrowsAndIsKept() throws {
    let store = try file.open()
    let raw = try file.raw()
    try raw.run("INSERT INTO entries(key, expiry, value) VALUES ('a', 'tomorrow', 'x')")
    let error = failure { try store.entryIfPresent(forKey: "a") }
    #expect(error == .malformedFileAttributes)
    #expect(error?.key as? String == "a")
    #expect(failure { try store.expiryIfPresent(forKey: "a") } == .malformedFileAttributes)
    try raw.run("UPDATE entries SET expiry = NULL")
    #expect(try store.object(forKey: "a") == text("x"))
  }

  @Test func aMovedFileTakesNoWrites() throws {
    let store = try file.open()
    try store.setObject(text("1"), forKey: "a")
    try FileManager.default.moveItem(atPath: file.path, toPath: file.path + ".old")
    let error = failure { try store.setObject(text("2"), forKey: "a") }
    #expect(error == .backendFailed)
    #expect(error?.message.contains("moved or deleted") == true)
  }

  @Test func oneRowIsAtMostABillionBytes() throws {
    let store = try file.open()
    try store.setObject(text("1"), forKey: "a")
    // The zeros are never written, so the system provides no memory for them.
    let error = failure { try store.setObject(Data(count: 1_000_000_001), forKey: "a") }
    #expect(error == .tooLarge)
    #expect((error?.cause as? SQLiteError)?.name == "SQLITE_TOOBIG")
    #expect(try store.object(forKey: "a") == text("1"))
  }

  @Test func aFailedBatchStoresNothing() throws {
    let store = try file.open()
    try store.setObject(text("old"), forKey: "a")
    try file.raw().run(
      "CREATE TRIGGER no BEFORE INSERT ON entries WHEN new.key = 'bad' BEGIN SELECT RAISE(FAIL, 'no'); END")
    var values = ["a": text("new"), "bad": text("x")]
    // In any order, some values are written before one fails.
    for number in 0..<50 { values["\(number)"] = text("x") }
    let error = failure { try store.setObjects(values, expiry: nil) }
    #expect((error?.cause as? SQLiteError)?.name == "SQLITE_CONSTRAINT")
    #expect(try store.keys() == ["a"])
    #expect(try store.object(forKey: "a") == text("old"))
    try store.setObject(text("new"), forKey: "a")
    #expect(try store.object(forKey: "a") == text("new"))
  }

  @Test func aBatchIsReadFromOneState() async throws {
    let store = try file.open()
    let keys = (0..<200).map(String.init)
    @Sendable func write(_ number: Int) throws {
      try store.setObjects(
        Dictionary(uniqueKeysWithValues: keys.map { ($0, text("\(number)")) }), expiry: nil)
    }
    try blocking { try write(0) }
    let isDone = Shared(false)
    async let mixtures = onThread {
      var mixtures = 0
      while !isDone.value {
        if Set(try store.entries(forKeys: keys).values.map(\.object)).count != 1 { mixtures += 1 }
      }
      return mixtures
    }
    try await onThread {
      defer { isDone.change { $0 = true } }
      for number in 1...300 { try write(number) }
    }
    #expect(try await mixtures == 0)
  }

  @Test func theWriteAheadLogShrinksAgain() throws {
    let store = try file.open()
    func logSize() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int ?? -1
    }
    try store.setObject(Data(count: 40 << 20), forKey: "large")
    #expect(try logSize() > 40 << 20)
    try store.removeObject(forKey: "large")
    try store.setObject(text("x"), forKey: "small")
    #expect(try logSize() <= 16 << 20)
  }

  @Test func sweepingAndListingUseTheIndexes() throws {
    _ = try file.open()
    let raw = try file.raw()
    let sweep = try raw.rows(
      "EXPLAIN QUERY PLAN DELETE FROM entries WHERE id IN "
        + "(SELECT id FROM entries WHERE expiry <= 5 ORDER BY expiry LIMIT 9)")
    #expect(sweep.contains { $0.contains("COVERING INDEX entries_expiry") })
    let list = try raw.rows(
      "EXPLAIN QUERY PLAN SELECT key FROM entries WHERE id NOT IN (SELECT id FROM entries WHERE expiry <= 5)")
    #expect(list.allSatisfy { !$0.contains("SCAN") || $0.contains("COVERING INDEX") })
  }
}

private struct Name: StorageKey {
  let storageKey: String
  init?(storageKey: String) { self.storageKey = storageKey.lowercased() }
}
