#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import TestSupport
import Testing

@testable import StrataSQLite

/// `maxSize`: it holds after every write, whichever process wrote before, and evicts the least recently used entries.
@Suite struct SQLiteLimitTests {
  let file = TestFile()

  /// Nine bytes, ten with a key of one byte.
  private let nine = text("123456789")

  /// Returns the number of bytes of all entries, by reading them.
  private func realSize() throws -> Int {
    try Int(
      file.raw().rows("SELECT coalesce(sum(length(CAST(key AS BLOB)) + length(value)), 0) FROM entries")[0])
      ?? -1
  }

  @Test func theLeastRecentlyUsedEntryIsEvicted() throws {
    let store = try file.open(maxSize: 30)
    for key in ["a", "b", "c"] { try store.setObject(nine, forKey: key) }
    _ = try store.object(forKey: "a")
    try store.setObject(nine, forKey: "d")
    #expect(try store.keys().sorted() == ["a", "c", "d"])
    _ = try store.entries(forKeys: ["c", "a", "none"])
    try store.setObject(nine, forKey: "e")
    #expect(try store.keys().sorted() == ["a", "c", "e"])
    try store.setObject(nine, forKey: "c")
    try store.setObject(nine, forKey: "f")
    #expect(try store.keys().sorted() == ["c", "e", "f"])
  }

  @Test func theOrderOfUseSurvivesAReopening() throws {
    do {
      let store = try file.open(maxSize: 30)
      for key in ["x", "a", "b"] { try store.setObject(nine, forKey: key) }
      _ = try store.object(forKey: "a")
      try store.setObject(nine, forKey: "c")
      #expect(try store.keys().sorted() == ["a", "b", "c"])
    }
    let store = try file.open(maxSize: 30)
    try store.setObject(nine, forKey: "d")
    #expect(try store.keys().sorted() == ["a", "c", "d"])
  }

  @Test func aWriteNeverEvictsItselfInFavourOfAConcurrentRead() throws {
    let store = try file.open(maxSize: 30)
    try store.setObject(nine, forKey: "a")
    _ = try store.engine.change(storing: 29) { transaction in
      try transaction.put("b", Data(count: 29), .never)
      _ = try store.object(forKey: "a")
      return true
    }
    #expect(try store.keys() == ["b"])
  }

  @Test func expiredEntriesAreEvictedFirst() throws {
    let time = ManualClock()
    let store = try file.open(maxSize: 30, clock: time.clock)
    try store.setObject(nine, forKey: "a")
    try store.setObject(nine, forKey: "b", expiry: .seconds(1))
    try store.setObject(nine, forKey: "c")
    time.advance(by: 2)
    try store.setObject(nine, forKey: "d")
    #expect(try store.keys().sorted() == ["a", "c", "d"])
  }

  @Test func theLimitHoldsAfterEveryWrite() throws {
    let store = try file.open(maxSize: 500)
    var random = SeededGenerator(seed: 4)
    for _ in 0..<400 {
      let key = "\(Int.random(in: 0..<60, using: &random))"
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try store.removeObject(forKey: key)
      case 1: _ = try store.objectIfPresent(forKey: key)
      case 2:
        let keys = (0..<5).map { "\(key)\($0)" }
        try store.setObjects(Dictionary(keys.map { ($0, nine) }) { $1 }, expiry: nil)
      case 3 where try store.objectExists(forKey: key): try store.update(forKey: key) { $0 += text("!") }
      default:
        let size = Int.random(in: 0..<100, using: &random)
        try store.setObject(Data(repeating: 1, count: size), forKey: key)
      }
      let size = try realSize()
      #expect(size <= 500)
      #expect(try store.totalSize == size)
    }
    try store.removeAll()
    #expect(try store.totalSize == 0)
  }

  @Test func aTooLargeValueChangesNothing() throws {
    let store = try file.open(maxSize: 10)
    try store.setObject(nine, forKey: "a")
    let error = failure { try store.setObject(text("1234567890"), forKey: "a") }
    #expect(error == .tooLarge)
    #expect(error?.key as? String == "a")
    #expect(throws: StorageError.tooLarge) {
      try store.setObjects(["b": text("1"), "c": text("1234567890")], expiry: nil)
    }
    #expect(throws: StorageError.tooLarge) { try store.update(forKey: "a") { $0 += text("!") } }
    #expect(try store.object(forKey: "a") == nine)
    #expect(try store.keys() == ["a"])
  }

  @Test func changesByOtherProgramsAreCounted() throws {
    let store = try file.open(maxSize: 40)
    let unlimited = try file.open()
    let raw = try file.raw()
    for key in ["a", "b", "c"] { try unlimited.setObject(nine, forKey: key) }
    try raw.run("INSERT INTO entries(key, value) VALUES ('ä', 'ö')")
    #expect(try store.totalSize == 34)
    try raw.run("UPDATE entries SET value = x'' WHERE key = 'a'; DELETE FROM entries WHERE key = 'b'")
    #expect(try store.totalSize == 15)
    try raw.run("UPDATE entries SET id = 99 WHERE key = 'c'")
    #expect(try store.totalSize == 15)
    try raw.run("DELETE FROM entries WHERE id = 99")
    #expect(try store.totalSize == 5)
    try unlimited.setObject(Data(count: 99), forKey: "x")
    try store.setObject(nine, forKey: "d")
    #expect(try store.totalSize <= 40)
    #expect(try store.object(forKey: "d") == nine)
  }

  @Test func replacementsByOtherProgramsDoNotShrinkTheLimit() throws {
    let store = try file.open(maxSize: 30)
    let raw = try file.raw()
    try store.setObject(nine, forKey: "a")
    try store.setObject(nine, forKey: "b")
    // These statements delete rows without firing the trigger.
    for _ in 0..<20 {
      try raw.run(
        "PRAGMA recursive_triggers = OFF; INSERT OR REPLACE INTO entries(key, value) VALUES ('a', '123456789')"
      )
    }
    for key in ["c", "d", "e"] { try store.setObject(nine, forKey: key) }
    #expect(try store.keys().sorted() == ["c", "d", "e"])
    #expect(try store.totalSize == realSize())
  }

  @Test func aReusedRowIDIsCountedOnce() throws {
    let store = try file.open(maxSize: 30)
    let raw = try file.raw()
    try store.setObject(nine, forKey: "a")
    try raw.run(
      "PRAGMA recursive_triggers = OFF; INSERT OR REPLACE INTO entries(key, value) VALUES ('a', '123456789')")
    try store.removeObject(forKey: "a")
    // The new row gets the id of the removed row.
    try store.setObject(text("1"), forKey: "b")
    #expect(try raw.rows("SELECT id FROM entries") == ["1"])
    #expect(try store.totalSize == 2)
  }

  @Test func aLaterLimitCountsExistingEntries() throws {
    let unlimited = try file.open()
    for key in ["a", "b", "c", "d"] { try unlimited.setObject(nine, forKey: key) }
    #expect(try unlimited.totalSize == 40)
    let store = try file.open(maxSize: 25)
    #expect(try store.totalSize == 40)
    try store.setObject(nine, forKey: "e")
    #expect(try store.keys().sorted() == ["d", "e"])
  }

  @Test func theMostRecentReadsAreRemembered() throws {
    let keys = (0..<6000).map { format4($0) }
    let store = try file.open(maxSize: 30_000)
    try store.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, text("x")) }), expiry: nil)
    // In reverse order, and more uses than are kept.
    for key in keys.reversed() { _ = try store.object(forKey: key) }
    try store.setObject(text("x"), forKey: "more")
    let raw = try file.raw()
    #expect(
      try raw.rows("SELECT key FROM entries JOIN entries_uses USING (id) ORDER BY used DESC LIMIT 2000")
        == ["more"] + keys.prefix(1999))
  }

  private func format4(_ number: Int) -> String {
    String(repeating: "0", count: 4 - String(number).count) + String(number)
  }

  @Test func aReadDoesNotWriteToTheFile() throws {
    let store = try file.open(maxSize: 30)
    try store.setObject(nine, forKey: "a")
    let raw = try file.raw()
    let before = try raw.rows("PRAGMA data_version")
    for _ in 0..<10_000 { _ = try store.object(forKey: "a") }
    #expect(try raw.rows("PRAGMA data_version") == before)
  }

  @Test func theLimitCostsNoScan() throws {
    _ = try file.open(maxSize: 10)
    let plan = try file.raw().rows(
      "EXPLAIN QUERY PLAN UPDATE entries_uses SET used = (SELECT coalesce(max(used), 0) + 1 FROM entries_uses) WHERE id = 1"
    )
    #expect(!plan.contains { $0.contains("SCAN") })
  }
}
