#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import TestSupport
import Testing

@testable import StrataSQLite

/// Expiry as stored in the file.
@Suite struct SQLiteExpiryTests {
  let file = TestFile()
  let time = ManualClock()

  @Test func anEntryExpiresExactlyAtItsDate() throws {
    let store = try file.open(clock: time.clock)
    try store.setObject(text("1"), forKey: "a", expiry: .seconds(10))
    time.advance(by: 9.75)
    try store.removeExpiredObjects()
    #expect(try store.keys() == ["a"])
    time.advance(by: 0.25)
    #expect(try store.keys().isEmpty)
    #expect(try store.entryIfPresent(forKey: "a")?.expiry.isExpired(by: time.clock) == true)
    try store.removeExpiredObjects()
    #expect(try file.raw().rows("SELECT key FROM entries").isEmpty)
  }

  @Test func aSweepRemovesThousandsOfExpiredEntries() throws {
    let store = try file.open(clock: time.clock)
    let values = Dictionary(uniqueKeysWithValues: (0..<2500).map { ("\($0)", text("x")) })
    try store.setObjects(values, expiry: .seconds(1))
    try store.setObject(text("1"), forKey: "stays")
    time.advance(by: 2)
    try store.removeExpiredObjects()
    #expect(try file.raw().rows("SELECT key FROM entries") == ["stays"])
  }

  @Test(arguments: [
    Date.distantFuture, .distantPast, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1e300),
    Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: 1_234_567_890.123_25),
  ])
  func anyDateComesBack(_ date: Date) throws {
    let store = try file.open(clock: time.clock)
    try store.setObject(text("1"), forKey: "a", expiry: .date(date))
    #expect(try store.expiryIfPresent(forKey: "a") == .date(date))
    #expect(try store.entry(forKey: "a").expiry == .date(date))
  }

  @Test func neverIsNull() throws {
    let store = try file.open(expiry: .seconds(5), clock: time.clock)
    try store.setObject(text("1"), forKey: "a", expiry: .never)
    try store.setObject(text("1"), forKey: "b", expiry: .seconds(.infinity))
    try store.setObject(text("1"), forKey: "c")
    #expect(
      try file.raw().rows("SELECT expiry FROM entries ORDER BY key") == ["NULL", "NULL", "1000000005.0"])
    #expect(try store.expiryIfPresent(forKey: "b") == .never)
  }
}
