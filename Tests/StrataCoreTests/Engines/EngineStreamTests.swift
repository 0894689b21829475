import Foundation
import StrataCore
import StrataEngines
import TestSupport
import Testing

@Suite("EngineStorage keeps large values in parts", .endsInTime) struct EngineStreamTests {
  enum Setup: String, CaseIterable { case usual, limited, shortKeys }

  private func subject(_ setup: Setup) throws -> StreamSubject {
    let time = ManualClock()
    let engine = setup == .shortKeys ? SortedEngine(longestKey: 64, answersAtOnce: true) : SortedEngine()
    // All openers share the engine of the first.
    let first = try SortedStorage(place: "memory \(UUID())", clock: time.clock) { engine }
    return StreamSubject(clock: time) {
      try SortedStorage(place: first.place, maxSize: setup == .limited ? 1 << 30 : 0, clock: time.clock) {
        engine
      }
    } partCount: {
      withExtendedLifetime(first) { engine.keys.count { $0.first == UInt8(ascii: "?") } }
    } damage: { number in
      for key in engine.keys
      where key.first == UInt8(ascii: "?") && key.suffix(4) == [0, 0, 0, UInt8(number)] {
        let record = try key.withUnsafeBytes { try engine.read($0) { Data($0) } }
        guard var record else { continue }
        record[500] ^= 1
        try engine.write([EngineChange(key: key, record: record)])
      }
    }
  }

  @Test(arguments: StreamRule.allCases, Setup.allCases)
  func keeps(_ rule: StreamRule, _ setup: Setup) async throws { try await rule.check(subject(setup)) }

  /// Two processes share an engine, and each has looked for values in parts before the other has stored the first one.
  @Test func theFirstOneOfAnotherProcess() async throws {
    let engine = SortedEngine()
    let one = try SortedStorage(place: "one \(UUID())") { engine }
    let other = try SortedStorage(place: "other \(UUID())") { engine }
    func parts() -> Int { engine.keys.count { $0.first == UInt8(ascii: "?") } }
    try await one.setObject(Data("1".utf8), forKey: "one")
    for key in ["updated", "replaced"] {
      try await other.write(forKey: key, from: PartSequence(noise(1_000_000)))
    }
    let stored = parts()
    try await one.setObject(Data("new".utf8), forKey: "replaced")
    try await one.removeExpiredObjects()
    #expect(parts() == stored / 2)
    try Self.update("updated", in: one)
    #expect(parts() == 0)
    #expect(try await other.object(forKey: "updated") == Data("new".utf8))
  }

  /// A date that is not a number never expires, and does not keep an entry from being found as it was read.
  @Test func anUpdateOfAValueThatExpiresAtNoNumber() async throws {
    let store = try SortedStorage(place: "memory \(UUID())") { SortedEngine() }
    let never = Expiry.date(Date(timeIntervalSinceReferenceDate: .nan))
    try await store.write(forKey: "a", expiry: never, from: PartSequence(noise(1_000_000)))
    try Self.update("a", in: store)
    #expect(try await store.object(forKey: "a") == Data("new".utf8))
    #expect(try await store.entry(forKey: "a").expiry == never)
  }

  /// Updates a value. Throws if it is not stored at once.
  private static func update(_ key: String, in store: SortedStorage) throws {
    var rounds = 0
    try store.update(forKey: key) { value in
      rounds += 1
      if rounds > 1 { throw Failure.first }
      value = Data("new".utf8)
    }
  }
}
