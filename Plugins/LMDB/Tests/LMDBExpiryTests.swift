import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

@Suite("Expiry in LMDBStorage") struct LMDBExpiryTests {
  private let folder = LMDBFolder()

  private func indexed() throws -> Int {
    try folder.withRawTransaction { try items(of: "entries/expiry", in: $0).count }
  }

  /// Seconds since 2001. The tests' clock is at 21 692 800.
  @Test(
    arguments: [
      .nan, .infinity, -.infinity, -1e300, 1e300, -0.0, 21_692_799.999, 21_692_800, 21_692_800.001,
      64_092_211_200,
    ] as [Double])
  func datesComeBackAsTheyWereAndAreSweptInTime(_ seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let store = try folder.open()
    try store.setObject(text("v"), forKey: "key", expiry: .date(date))
    try store.setObject(text("v"), forKey: "past", expiry: .seconds(-1))
    guard case .date(let read) = try #require(try store.expiryIfPresent(forKey: "key")) else {
      Issue.record("the date became .never")
      return
    }
    #expect(read.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern)
    try store.removeExpiredObjects()
    #expect(try store.entryIfPresent(forKey: "past") == nil)
    #expect(try (store.entryIfPresent(forKey: "key") == nil) == (date <= folder.time.date))
  }

  @Test func theIndexHoldsExactlyTheStoredDeadlines() throws {
    do {
      let store = try folder.open()
      for round in 0..<3 { try store.setObject(text("v"), forKey: "often", expiry: .seconds(Double(round))) }
      try store.setObject(text("v"), forKey: "removed", expiry: .seconds(5))
      try store.removeObject(forKey: "removed")
      try store.setObject(text("v"), forKey: "for ever", expiry: .seconds(5))
      try store.setObject(text("v"), forKey: "for ever", expiry: .never)
      try store.setObject(text("v"), forKey: "later", expiry: .seconds(5))
      try store.update(forKey: "later") { $0 = text("w") }
    }
    #expect(try indexed() == 2)
    folder.time.advance(by: 3)
    do {
      let store = try folder.open()
      try store.removeExpiredObjects()
      #expect(try Set(store.keys()) == ["for ever", "later"])
      #expect(try store.object(forKey: "later") == text("w"))
    }
    #expect(try indexed() == 1)
    try folder.open().removeAll()
    #expect(try indexed() == 0)
  }

  @Test(arguments: [999, 1000, 1001, 2500]) func aSweepOfManyEntriesTakesSeveralTransactions(_ count: Int)
    throws
  {
    let store = try folder.open(Int.self)
    let objects = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, text("v")) })
    try store.setObjects(objects, expiry: .seconds(1))
    try store.setObject(text("v"), forKey: -1, expiry: .seconds(2))
    try store.setObject(text("v"), forKey: -2)
    folder.time.advance(by: 1)
    try store.removeExpiredObjects()
    #expect(try store.entries(forKeys: Array(-2..<count)).keys.sorted() == [-2, -1])
  }

  /// A broken index, written by another program, never removes a valid entry.
  @Test func aWrongIndexRemovesNoValidEntry() throws {
    do { try folder.open().setObjects(["a": text("1"), "b": text("2")], expiry: .seconds(60)) }
    try folder.withRawTransaction { transaction in
      try put([], [0, 0, 0, 0, 0, 0, 0, 9] + Array("a".utf8), into: "entries/expiry", in: transaction)
      try put([], [0, 0, 0, 0, 0, 0, 0, 9] + Array("none".utf8), into: "entries/expiry", in: transaction)
    }
    try folder.open().removeExpiredObjects()
    #expect(try Set(folder.open().keys()) == ["a", "b"])
    #expect(try indexed() == 2)
  }
}
