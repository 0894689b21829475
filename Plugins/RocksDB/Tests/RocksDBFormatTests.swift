import Foundation
import StrataCore
import Testing

@testable import StrataRocksDB

/// The stored records, read by RocksDB itself.
struct RocksDBFormatTests {
  let folder = TestFolder()

  @Test func anEntryThatNeverExpiresIsOneRecord() throws {
    try folder.open().setObject(text("milk"), forKey: "buy", expiry: nil)
    let plain = try PlainDatabase(folder.path)
    #expect(plain.families.keys.sorted() == ["default", "entries"])
    #expect(plain.keys("entries") == ["=buy"])
    #expect(plain.records("entries").first?.record == [0] + Array("milk".utf8))
    #expect(plain.records("default").isEmpty)
  }

  @Test(arguments: [3, 100_000])
  func anEntryThatExpiresIsEnteredByItsHour(valueSize: Int) throws {
    let date = Date(timeIntervalSince1970: 3600 * 0x0001_0203 + 1.25)
    let value = bytes(valueSize)
    try folder.open().setObject(value, forKey: "k", expiry: .date(date))
    let plain = try PlainDatabase(folder.path)
    let bits = withUnsafeBytes(of: date.timeIntervalSinceReferenceDate.bitPattern.littleEndian) { Array($0) }
    let records = plain.records("entries")
    #expect(records.map(\.key) == [Array("=k".utf8), [0x3E, 0, 1, 2, 3] + Array("k".utf8)])
    #expect(records.map(\.record) == [[1] + bits + value, [1] + bits])
  }

  @Test func canonicallyEquivalentTextsAreOneKey() throws {
    let store = try folder.open()
    try store.setObject(text("1"), forKey: "e\u{301}", expiry: nil)
    try store.setObject(text("2"), forKey: "\u{e9}", expiry: nil)
    #expect(try store.keys().count == 1)
    #expect(try store.object(forKey: "e\u{301}") == text("2"))
    withExtendedLifetime(store) {}
  }

  @Test func keysAreSortedAndCanBeListedByRange() throws {
    let store = try folder.open()
    let keys = ["", "a", "a\0", "ab", "b", "z", "é", "ﬀ", "𝄞", "🗓️"]
    for key in keys.shuffled() { try store.setObject(Data(), forKey: key, expiry: nil) }
    try store.setObject(Data(), forKey: "ac", expiry: .seconds(-1))
    #expect(try store.keys() == keys.sorted())
    #expect(try store.keys(from: "a", until: "b") == ["a", "a\0", "ab"])
    #expect(try store.keys(from: "aa", until: "\u{10FFFF}") == Array(keys.sorted().dropFirst(3)))
    #expect(try store.keys(from: "b", until: "a") == [])
    #expect(try store.keys(from: "", until: "") == [])
  }

  @Test func longKeysAndValuesOfEverySizeAreRead() throws {
    let store = try folder.open()
    for size in [
      0, 1, 255, 1023, 1024, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 3 << 20,
    ] {
      for expiry in [Expiry.never, .date(.distantFuture)] {
        let key = "\(expiry) \(size) " + String(repeating: "k", count: size % 100_000)
        try store.setObject(bytes(size, seed: UInt64(size)), forKey: key, expiry: expiry)
        #expect(try store.object(forKey: key) == bytes(size, seed: UInt64(size)))
        #expect(try store.expiryIfPresent(forKey: key) == expiry)
      }
    }
  }

  @Test(arguments: [
    Expiry.never, .date(.distantFuture), .date(.distantPast),
    .date(Date(timeIntervalSinceReferenceDate: 0.1)),
    .date(Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude)),
    .date(Date(timeIntervalSinceReferenceDate: -.infinity)),
    .date(Date(timeIntervalSinceReferenceDate: .infinity)),
  ])
  func everyDateComesBackToTheBit(_ expiry: Expiry) throws {
    let store = try folder.open()
    try store.setObject(text("v"), forKey: "k", expiry: expiry)
    #expect(try store.expiryIfPresent(forKey: "k") == expiry)
    #expect(try store.entryIfPresent(forKey: "k") == Entry(object: text("v"), expiry: expiry))
    try store.removeExpiredObjects()
    #expect(try (store.entryIfPresent(forKey: "k") == nil) == expiry.isExpired)
  }

  @Test func aValueThatRocksDBCannotStoreIsTooLarge() throws {
    let store = try folder.open()
    // The zeros are never written, so they take up only addresses.
    let huge = Data(count: 4 << 30)
    try store.setObject(text("v"), forKey: "k", expiry: nil)
    #expect(failure { try store.setObject(huge, forKey: "k", expiry: nil) } == .tooLarge)
    #expect(failure { try store.setObjects(["a": text("a"), "k": huge], expiry: nil) } == .tooLarge)
    #expect(try store.keys() == ["k"])
    #expect(try store.object(forKey: "k") == text("v"))
  }
}
