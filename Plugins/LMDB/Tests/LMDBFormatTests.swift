import CLMDB
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

/// The file format: if one of these tests fails, existing files can no longer be read.
@Suite("The file format of LMDBStorage") struct LMDBFormatTests {
  private let folder = LMDBFolder()

  private func contents(_ database: String) throws -> [(key: [UInt8], value: [UInt8])] {
    try folder.withRawTransaction { try items(of: database, in: $0) }
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  @Test func aShortKeyIsStoredUnchanged() throws {
    do { try folder.open().setObject(text("value"), forKey: "ключ") }
    let items = try contents("entries")
    #expect(items.map { String(decoding: $0.key, as: UTF8.self) } == ["ключ"])
    #expect(
      items.map { hex($0.value) } == ["530100000000000000000000000000000000000000000000" + "76616c7565"])
    #expect(try contents("entries/expiry").isEmpty)
    #expect(try contents("entries/order").isEmpty)
  }

  @Test func aDeadlineIsInTheRecordAndInTheIndex() throws {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
    do { try folder.open().setObject(text("v"), forKey: "k", expiry: .date(date)) }
    #expect(
      try contents("entries").map { hex($0.value) } == [
        "5301010000000000" + "0000108093dcc441" + "0000000000000000" + "76"
      ])
    #expect(try contents("entries/expiry").map { hex($0.key) } == ["c1c4dc9380100000" + "6b"])
  }

  @Test func aLimitedStoreRecordsTheOrderOfWriting() throws {
    do {
      let store = try folder.open { $0.maxSize = 1 << 20 }
      for key in ["b", "a", "b"] { try store.setObject(text("v"), forKey: key) }
    }
    #expect(try contents("entries/order").map { hex($0.key) } == ["0000000000000002", "0000000000000003"])
    #expect(try contents("entries/order").map { hex($0.value) } == ["61", "62"])
    #expect(
      try contents("entries").map { hex($0.value.dropFirst(16).prefix(8)) } == [
        "0200000000000000", "0300000000000000",
      ])
  }

  @Test(arguments: [
    ("", "fe"), ("a", "61"), (String(repeating: "a", count: 503), String(repeating: "61", count: 503)),
  ])
  func plainKeys(_ key: String, _ bytes: String) throws {
    do { try folder.open().setObject(text("v"), forKey: key, expiry: .date(.distantFuture)) }
    #expect(try contents("entries").map { hex($0.key) } == [bytes])
    #expect(try folder.open().keys() == [key])
  }

  @Test(arguments: [504, 511, 512, 100_000]) func aLongKeyIsStoredBesideItsValue(_ count: Int) throws {
    let key = String(repeating: "a", count: count)
    do { try folder.open().setObject(text("v"), forKey: key, expiry: .date(.distantFuture)) }
    let items = try contents("entries")
    #expect(items.map { hex($0.key) } == ["ff" + hex(SHA256.hash(Array(key.utf8)))])
    #expect(items.map { String(decoding: $0.value.dropFirst(24), as: UTF8.self) } == [key + "v"])
    #expect(try folder.open().keys() == [key])
    #expect(try folder.open().object(forKey: key) == text("v"))
  }

  /// The bytes of a hashed key are not valid UTF-8, so no other key has them.
  @Test func noKeyEqualsTheHashOfAnother() throws {
    let long = String(repeating: "a", count: 600)
    let store = try folder.open()
    try store.setObject(text("long"), forKey: long)
    for other in [
      String(decoding: [0xFF] + SHA256.hash(Array(long.utf8)), as: UTF8.self), "\u{FE}", "\u{FF}",
    ] {
      #expect(try store.entryIfPresent(forKey: other) == nil)
    }
  }

  @Test(
    arguments: [
      -1e300, -1, -0.0, 0, .leastNonzeroMagnitude, 0.001, 0.002, 1e9, 1e9 + 0.001, 1e300, .infinity,
    ] as [Double])
  func theBitsOfDeadlinesSortLikeTheDeadlines(_ seconds: Double) {
    let bits = IndexKey.bits(of: Date(timeIntervalSinceReferenceDate: seconds))
    for other in [-2e300, -3, 0.0015, 5, 2e300] {
      let otherBits = IndexKey.bits(of: Date(timeIntervalSinceReferenceDate: other))
      #expect((bits < otherBits) == (seconds < other))
    }
  }

  @Test func anInvalidRecordThrows() throws {
    do { try folder.open().setObject(text("mine"), forKey: "good") }
    try folder.withRawTransaction { transaction in
      try put(
        Array("0123456789012345678901234567".utf8), Array("foreign".utf8), into: "entries", in: transaction)
      try put([], Array("empty".utf8), into: "entries", in: transaction)
    }
    let store = try folder.open()
    for key in ["foreign", "empty"] {
      let error = failure { try store.entryIfPresent(forKey: key) }
      #expect(error == .malformedFileAttributes)
      #expect(error?.place == store.path && error?.key as? String == key)
      #expect(failure { try store.expiryIfPresent(forKey: key) } == .malformedFileAttributes)
    }
    #expect(failure { try store.entries(forKeys: ["good", "foreign"]) }?.key as? String == "foreign")
    #expect(try store.keys() == ["empty", "foreign", "good"], "reading a key reports the damage")
    #expect(try store.keyPage(after: nil, limit: 2).keys == ["empty", "foreign"])
    #expect(try store.object(forKey: "good") == text("mine"))
    try store.removeObject(forKey: "foreign")
    try store.setObject(text("new"), forKey: "empty")
    #expect(try Set(store.keys()) == ["good", "empty"])
    #expect(try store.object(forKey: "empty") == text("new"))
  }

  /// A record under a hash must belong to the key.
  @Test func aRecordOfAnotherLongKeyIsNotReturned() throws {
    let (one, other) = (String(repeating: "a", count: 600), String(repeating: "b", count: 600))
    do { try folder.open().setObject(text("v"), forKey: one) }
    try folder.withRawTransaction { transaction in
      let record = try #require(try items(of: "entries", in: transaction).first)
      try put(record.value, [0xFF] + SHA256.hash(Array(other.utf8)), into: "entries", in: transaction)
    }
    #expect(failure { try folder.open().entryIfPresent(forKey: other) } == .malformedFileAttributes)
    #expect(try folder.open().object(forKey: one) == text("v"))
  }

  /// Only the record contains a long key, so nothing can name it.
  @Test func aListingThrowsForALongKeyWhoseRecordIsDamaged() throws {
    do { try folder.open().setObject(text("v"), forKey: String(repeating: "a", count: 600)) }
    try folder.withRawTransaction { transaction in
      let record = try #require(try items(of: "entries", in: transaction).first)
      try put([0] + record.value.dropFirst(), record.key, into: "entries", in: transaction)
    }
    #expect(failure { try folder.open().keys() } == .malformedFileAttributes)
  }

  @Test func aDatabaseWithOtherFlagsIsRefused() throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try folder.withRawTransaction {
      try put([1], [2], into: "entries", flags: MDB_CREATE | MDB_DUPSORT, in: $0)
    }
    #expect(failure { try folder.open() } == .invalidConfiguration)
    #expect(try folder.open { $0.database = "others" }.keys() == [])
  }
}
