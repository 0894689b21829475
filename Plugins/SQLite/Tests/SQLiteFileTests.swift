#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import StrataSQLite
import TestSupport
import Testing

/// What another program finds in the file, and what it may do there.
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

  @Test func theSchemaExplainsItself() throws {
    _ = try file.open()
    let schema = try file.raw().rows("SELECT sql FROM sqlite_master WHERE name = 'entries'")
    #expect(schema.first?.contains("A store of Strata, version 1: one row an entry.") == true)
    #expect(schema.first?.contains("seconds since 1970") == true)
  }

  @Test func whatAnotherProgramChangesIsSeenAtOnce() throws {
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

  @Test func aDroppedTableIsAnEmptyOne() throws {
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

  @Test func aTableThatBecameAnothersIsNotTouched() throws {
    let store = try file.open()
    let raw = try file.raw()
    try raw.run("DROP TABLE entries; CREATE TABLE entries (a); INSERT INTO entries VALUES (1)")
    #expect(failure { try store.object(forKey: "a") }?.code.description == "invalidConfiguration")
    #expect(
      failure { try store.setObject(text("1"), forKey: "a") }?.code.description == "invalidConfiguration")
    #expect(try raw.rows("SELECT * FROM entries") == ["1"])
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

  @Test func rowsThatNoReadFindsAreNotListed() throws {
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
  }

  @Test func aRowThatIsNoEntryIsAnErrorAndStays() throws {
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

  @Test func sweepingAndListingUseTheIndices() throws {
    _ = try file.open()
    let raw = try file.raw()
    let sweep = try raw.rows(
      "EXPLAIN QUERY PLAN DELETE FROM entries WHERE id IN "
        + "(SELECT id FROM entries WHERE expiry <= 5 ORDER BY expiry LIMIT 9)")
    #expect(sweep.contains { $0.contains("COVERING INDEX entries_expiry") })
  }
}
