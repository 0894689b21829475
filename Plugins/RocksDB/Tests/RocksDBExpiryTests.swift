import Foundation
import TestSupport
import Testing

@testable import StrataEngines
@testable import StrataRocksDB

/// The index by which expired entries are found.
struct RocksDBExpiryTests {
  let folder = TestFolder()
  let time = ManualClock()

  private func open(_ change: (inout RocksDBConfig) -> Void = { _ in }) throws -> RocksDBStorage<String> {
    try folder.open {
      $0.clock = time.clock
      change(&$0)
    }
  }

  /// Returns all keys in the family; deadline keys without their hour.
  private func records() throws -> [String] {
    try PlainDatabase(folder.path).records("entries").map { item in
      let isDeadline = item.key.first == EngineKey.deadline
      return isDeadline
        ? ">" + String(decoding: item.key.dropFirst(5), as: UTF8.self)
        : String(decoding: item.key, as: UTF8.self)
    }
  }

  @Test(arguments: [0, 1 << 20] as [UInt])
  func aSweepRemovesWhatHasExpiredAndNothingElse(maxSize: UInt) throws {
    do {
      let store = try open { $0.maxSize = maxSize }
      // More entries than one step removes, with deadlines in several hours.
      for i in 0..<1000 {
        try store.setObject(text("\(i)"), forKey: "\(i)", expiry: .seconds(Double(i) * 20))
      }
      try store.setObject(text("v"), forKey: "never", expiry: .never)
      time.advance(by: 600 * 20)
      try store.removeExpiredObjects()
      #expect(try Set(store.keys()) == Set((601..<1000).map(String.init) + ["never"]))
    }
    let left = (601..<1000).map(String.init)
    #expect(try Set(records()) == Set(left.flatMap { ["=\($0)", ">\($0)"] } + ["=never"]))
  }

  @Test func anOverwrittenEntryIsKept() throws {
    do {
      let store = try open()
      for key in ["later", "never", "soon", "removed", "again"] {
        try store.setObject(text("old"), forKey: key, expiry: .seconds(10))
      }
      try store.setObject(text("new"), forKey: "later", expiry: .seconds(100_000))
      try store.setObject(text("new"), forKey: "never", expiry: .never)
      try store.setObject(text("new"), forKey: "soon", expiry: .seconds(30))
      try store.removeObject(forKey: "removed")
      time.advance(by: 20)
      try store.setObject(text("new"), forKey: "again", expiry: .seconds(5))
      try store.removeExpiredObjects()
      #expect(try store.keys() == ["again", "later", "never", "soon"])
      for key in try store.keys() { #expect(try store.object(forKey: key) == text("new")) }
    }
    // The sweep has removed deadlines without effect, and kept the others.
    #expect(try records() == ["=again", "=later", "=never", "=soon", ">again", ">soon", ">later"])
    time.advance(by: 200_000)
    try open().removeExpiredObjects()
    #expect(try records() == ["=never"])
  }

  @Test func aKeyWrittenManyTimesLeavesOneRecordAnHour() throws {
    do {
      let store = try open()
      for _ in 0..<500 {
        try store.setObject(text("v"), forKey: "session", expiry: .seconds(7200))
        time.advance(by: 30)
      }
    }
    #expect(try records().count(where: { $0 == ">session" }) <= 1 + 500 * 30 / 3600 + 1)
  }

  @Test func entriesOfABatchAreIndexed() throws {
    let store = try open()
    try store.setObjects(["a": text("1"), "b": text("2")], expiry: .seconds(1))
    time.advance(by: 1)
    try store.removeExpiredObjects()
    #expect(try store.entries(forKeys: ["a", "b"]).isEmpty)
  }

  /// An entry that is written again between the two steps of a sweep, to expire within the hour, is found by the next
  /// sweep.
  @Test func aSweepKeepsTheDeadlineOfANewerWrite() throws {
    let store = try open()
    try store.setObject(text("old"), forKey: "k", expiry: .seconds(10))
    let entry = EngineKey("k", longest: .max).bytes
    let date = time.date.addingTimeInterval(10)
    let deadline = try #require(EngineKey.deadline(date, ofEntry: entry))
    time.advance(by: 20)
    try store.setObject(text("new"), forKey: "k", expiry: .seconds(1))
    try store.table.remove([deadline], expiredBy: time.date)
    #expect(try store.object(forKey: "k") == text("new"))
    time.advance(by: 1)
    try store.removeExpiredObjects()
    #expect(try store.entryIfPresent(forKey: "k") == nil)
  }

  /// A sweep checks an entry and then removes it; a write in between must not be lost.
  @Test func aSweepNeverRemovesANewerWrite() async throws {
    let store = try open()
    let keys = (0..<400).map { "\($0)" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      let isDone = Shared(false)
      group.addTask {
        try await onThread {
          defer { isDone.change { $0 = true } }
          for round in 0..<40 {
            let keys = keys.map { "\(round) \($0)" }
            for key in keys { try store.setObject(text("old"), forKey: key, expiry: .seconds(-1)) }
            for key in keys {
              // Some entries get a deadline in the same hour as the expired deadline.
              try store.setObject(
                text("\(round)"), forKey: key, expiry: "13579".contains(key.suffix(1)) ? .seconds(50) : .never
              )
            }
            for key in keys { #expect(try store.objectIfPresent(forKey: key) == text("\(round)")) }
          }
        }
      }
      group.addTask { try await onThread { while !isDone.value { try store.removeExpiredObjects() } } }
      try await group.waitForAll()
    }
    // The sweep has lost no deadline.
    time.advance(by: 60)
    try blocking { try store.removeExpiredObjects() }
    let left = try blocking { try store.keys(from: "", until: "\u{10FFFF}") }
    #expect(left.count == 40 * keys.count { !"13579".contains($0.suffix(1)) })
  }
}
