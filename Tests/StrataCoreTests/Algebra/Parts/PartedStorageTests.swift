import Foundation
import StrataParts
import StrataCore
import StrataEngines
import StrataTestKit
import TestSupport
import Testing

/// The common rules of streams, over stores that have none.
@Suite("inParts keeps large values in parts", .endsInTime) struct PartedStorageTests {
  enum Setup: String, CaseIterable {
    /// A dictionary, with the parts in it.
    case one
    /// A dictionary with the entries, and another one with the parts.
    case two
    /// A server, whose records have a limit.
    case server
    /// The first one without `await`. It has no streams.
    case sync
  }

  private func subject(_ setup: Setup) throws -> StreamSubject {
    let time = ManualClock()
    let base = DictionaryStorage<String, Data>(clock: time.clock)
    let others = DictionaryStorage<String, Data>(clock: time.clock)
    let server = try RemoteStorage(
      MemoryServer(longestRecord: 1 << 20), namespace: "films", clock: time.clock)
    // The store of the parts, as another program sees it.
    let raw: any StorageAware<String, Data> =
      switch setup {
      case .one, .sync: base
      case .two: others
      case .server: server
      }
    let parts = { @Sendable in
      try await raw.keys().filter { try /(strata-part-)?[0-9a-f]{32}-[0-9]+/.wholeMatch(in: $0) != nil }
    }
    return StreamSubject(clock: time) {
      switch setup {
      case .one: base.inParts()
      case .two: base.inParts(in: others)
      case .server: server.inParts()
      case .sync: SyncFace(base: base.inParts())
      }
    } partCount: {
      try await parts().count
    } damage: { number in
      for key in try await parts() where key.hasSuffix("-\(number)") {
        var record = try await raw.object(forKey: key)
        record[500] ^= 1
        try await raw.setObject(record, forKey: key)
      }
    }
  }

  @Test(arguments: StreamRule.allCases, [Setup.one, .two, .server])
  func keeps(_ rule: StreamRule, _ setup: Setup) async throws { try await rule.check(subject(setup)) }

  @Test(arguments: [StreamRule.otherOperations, .expiry, .batches, .replacement, .failedWriters, .races])
  func keepsWithoutAwait(_ rule: StreamRule) async throws { try await rule.check(subject(.sync)) }

  // MARK: What the keys and values of users may be

  @Test func keysLikeThoseOfParts() async throws {
    let base = DictionaryStorage<String, Data>()
    let store = base.inParts()
    let keys = ["strata-part-", "strata-part-~", "strata-part-~a", "strata-part-1", "a", ""]
    for key in keys { try await store.setObject(Data(key.utf8), forKey: key) }
    try await store.write(forKey: "strata-part-1", from: PartSequence(noise(1 << 20), by: 1 << 18))
    #expect(try await Set(store.keys()) == Set(keys))
    for key in keys where key != "strata-part-1" {
      #expect(try await store.object(forKey: key) == Data(key.utf8))
    }
    try await store.removeAll()
    #expect(base.objects.isEmpty)
  }

  @Test func valuesLikeDescriptions() async throws {
    let base = DictionaryStorage<String, Data>()
    let store = base.inParts()
    try await store.setObject(noise(1 << 20), forKey: "long")
    let description = try #require(base.objects["long"])
    for value in [description, description.prefix(8), description.prefix(7), Data("strata\u{1}\u{1}".utf8)] {
      try await store.setObject(value, forKey: "a")
      #expect(try await store.object(forKey: "a") == value)
      #expect(try await store.read(forKey: "a").data() == value)
      try await store.setObjects(["a": value])
      #expect(try await store.object(forKey: "a") == value)
      // Also if the store has parts twice.
      try await store.inParts().setObject(value, forKey: "b")
      #expect(try await store.inParts().object(forKey: "b") == value)
    }
    // What was stored before is read as it is.
    try await base.setObject(Data("before".utf8), forKey: "a")
    #expect(try await store.object(forKey: "a") == Data("before".utf8))
    try await base.setObject(description.dropLast() + [description[43] ^ 1], forKey: "a", expiry: nil)
    await #expect(throws: StorageError.malformedFileAttributes) { try await store.object(forKey: "a") }
    try await store.setObject(Data([1]), forKey: "a")
    #expect(try await store.object(forKey: "a") == Data([1]))
  }

  // MARK: Failures of the store

  /// Whichever call fails: the old value stays, or the new one is stored, and after an hour nothing else is left.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func failuresOfTheStore(_ seed: UInt64) async throws {
    let time = ManualClock()
    let base = DictionaryStorage<String, Data>(clock: time.clock)
    let faulty = FaultyStorage(base, seed: seed)
    let store = faulty.inParts()
    let (old, new) = (noise(1 << 20, seed: 1), noise(1 << 20 + 9, seed: 2))
    try await store.write(forKey: "a", from: PartSequence(old, by: 99_991))
    faulty.failing = 0.07
    var isStored = true
    do {
      if seed % 2 == 0 {
        try await store.write(forKey: "a", from: PartSequence(new, by: 99_991))
      } else {
        try await store.setObject(new, forKey: "a")
      }
    } catch is FaultyStorage<DictionaryStorage<String, Data>>.Fault { isStored = false }
    faulty.failing = 0
    #expect(try await isSame(store.object(forKey: "a"), isStored ? new : old))
    time.advance(by: stagingLease + 1)
    try await store.removeExpiredObjects()
    #expect(base.objects.count == (isStored ? 7 : 6), "the entry, the owner and the parts")
    #expect(try await isSame(store.read(forKey: "a").data(), isStored ? new : old))
  }
}
