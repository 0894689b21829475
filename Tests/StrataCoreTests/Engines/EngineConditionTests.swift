import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// A write by another process between the read and the write of a conditional operation is not lost: the engine decides
/// within a transaction.
struct EngineConditionTests {
  private let engine = SortedEngine()
  private let time = ManualClock()
  private let store: SortedStorage

  init() throws { store = try SortedStorage(engine, clock: time.clock) }

  private func text(_ text: String) -> Data { Data(text.utf8) }

  /// Makes another process, with its own store over the same records, write before the next conditional write.
  private func interrupt(_ body: @escaping @Sendable (SortedStorage) throws -> Void) {
    engine.interrupt { [clock = time.clock] engine in
      try body(SortedStorage(place: "another process \(UUID())", clock: clock) { engine })
    }
  }

  @Test func setIfAbsentFindsWhatAnotherHasStored() throws {
    interrupt { try $0.setObject(Data("theirs".utf8), forKey: "k", expiry: nil) }
    #expect(try !store.setIfAbsent(text("mine"), forKey: "k", expiry: nil))
    #expect(try store.object(forKey: "k") == text("theirs"))
  }

  @Test func setIfAbsentTakesThePlaceOfAnExpiredEntryOnce() throws {
    try store.setObject(text("old"), forKey: "k", expiry: .seconds(1))
    time.advance(by: 2)
    interrupt { try $0.setObject(Data("theirs".utf8), forKey: "k", expiry: nil) }
    #expect(try !store.setIfAbsent(text("mine"), forKey: "k", expiry: nil))
    interrupt { try $0.removeObject(forKey: "k") }
    #expect(try store.object(forKey: "k") == text("theirs"))
    try store.removeObject(forKey: "k")
    #expect(try store.setIfAbsent(text("mine"), forKey: "k", expiry: nil))
  }

  @Test func touchKeepsAnothersValue() throws {
    try store.setObject(text("old"), forKey: "k", expiry: .seconds(10))
    interrupt { try $0.setObject(Data("theirs".utf8), forKey: "k", expiry: .seconds(10)) }
    #expect(try store.touch(forKey: "k", expiry: .seconds(60)))
    let expiry = Expiry.date(time.date.addingTimeInterval(60))
    #expect(try store.entry(forKey: "k") == Entry(object: text("theirs"), expiry: expiry))
    interrupt { try $0.removeObject(forKey: "k") }
    #expect(try !store.touch(forKey: "k", expiry: .never))
  }

  @Test func updateRunsAgainOnAnothersValue() throws {
    try store.setObject(text("1"), forKey: "k", expiry: nil)
    interrupt { try $0.setObject(Data("5".utf8), forKey: "k", expiry: nil) }
    var seen: [Data] = []
    try store.update(forKey: "k") { value in
      seen.append(value)
      value += Data("!".utf8)
    }
    #expect(seen == [text("1"), text("5")])
    #expect(try store.object(forKey: "k") == text("5!"))
  }

  /// An update may use other keys of the store, but must not write its own key: the update would run again without end.
  @Test func updateRefusesToWriteItsOwnKey() throws {
    try store.setObject(text("1"), forKey: "k", expiry: nil)
    try store.update(forKey: "k") { value in
      #expect(throws: StorageError.deadlock) { try store.setObject(text("x"), forKey: "k", expiry: nil) }
      #expect(throws: StorageError.deadlock) { try store.removeObjects(forKeys: ["a", "k"]) }
      try store.setObject(value, forKey: "a", expiry: nil)
    }
    #expect(try store.entries(forKeys: ["a", "k"]).mapValues(\.object) == ["a": text("1"), "k": text("1")])
  }

  @Test func aSweepKeepsWhatAnotherHasWrittenAnew() throws {
    for key in ["a", "b"] { try store.setObject(text("old"), forKey: key, expiry: .seconds(1)) }
    time.advance(by: 2)
    interrupt { try $0.setObject(Data("new".utf8), forKey: "a", expiry: .seconds(60)) }
    try store.removeExpiredObjects()
    #expect(try store.keys() == ["a"])
    time.advance(by: 60)
    try store.removeExpiredObjects()
    #expect(engine.keys.isEmpty, "the deadline of the newer write was kept until it had come")
  }

  /// The cost of a sweep depends on the number of expired entries, not on the number of stored entries.
  @Test func aSweepLooksOnlyAtWhatHasExpired() throws {
    for number in 0..<1000 {
      let expiry: Expiry = number < 10 ? .seconds(1) : number < 500 ? .never : .seconds(100_000)
      try store.setObject(text("v"), forKey: "\(number)", expiry: expiry)
    }
    time.advance(by: 2)
    let (visits, reads) = (engine.visits, engine.reads)
    try store.removeExpiredObjects()
    #expect(try store.keys().count == 990)
    #expect(engine.reads - reads == 10)
    // The scan reads one record more, to notice its end. Then `keys()` reads all entries and the first deadline.
    #expect(engine.visits - visits <= 11 + 991)
  }

  /// Removes more entries than a sweep removes in one step, with deadlines in one hour and in many.
  @Test func aSweepRemovesAnyNumber() throws {
    for number in 0..<1500 {
      try store.setObject(text("v"), forKey: "\(number)", expiry: .seconds(Double(number) * 20))
    }
    time.advance(by: 1000 * 20)
    try store.removeExpiredObjects()
    #expect(try Set(store.keys()) == Set((1001..<1500).map(String.init)))
    #expect(engine.keys.count == 2 * 499)
  }
}
