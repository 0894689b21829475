#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  func reading() async throws {
    let store = try await open()
    try await store.setObject(text("one"), forKey: "a", expiry: nil)
    try await expect(text("one"), at: "a", in: store, "after setObject")
    try await store.set(text("two"), forKey: "b")
    try await expect(text("two"), at: "b", in: store, "after set")
    try await expect(text("one"), at: "a", in: store, "after a write of another key")
    let expiry = try await store.entry(forKey: "a").expiry
    try expect(expiry == .never, "stored without an expiry, in a store without one, the entry has \(expiry)")
    let all = try await store.allObjects()
    try expect(
      Set(all) == [text("one"), text("two")] && all.count == 2, "allObjects gives \(all.map { shown($0) })")
  }

  func absence() async throws {
    let store = try await open()
    try await expect(nil, at: "a", in: store, "in an empty store")
    try await expectKeys([], in: store, "in an empty store")
    try await store.setObject(text("one"), forKey: "a", expiry: nil)
    for key in ["b", "", "A", "a ", "aa"] {
      try await expect(nil, at: key, in: store, "in a store that holds only the key \"a\"")
    }
    let many = try await store.entries(forKeys: ["a", "b"])
    try expect(
      Array(many.keys) == ["a"],
      "entries(forKeys:) answers for \(many.keys.sorted()) where only \"a\" is stored")
    try await store.removeExpiredObjects()
    try await expect(text("one"), at: "a", in: store, "after a sweep with nothing to sweep")
  }

  func overwriting() async throws {
    let store = try await open()
    try await store.setObject(text("neighbour"), forKey: "b", expiry: nil)
    // Longer, shorter, of the same length, empty: leftover bytes of the old value would show.
    for (round, size) in [10, self.size(5000), 3, 3, 0, self.size(100_000) - 1, 1].enumerated() {
      try await store.setObject(bytes(size, seed: round), forKey: "a", expiry: nil)
      try await expect(bytes(size, seed: round), at: "a", in: store, "after overwrite \(round)")
      let next = bytes(size + 1, seed: 100 + round)
      let isStored = try await setAtOnce(next, forKey: "a", in: store)
      try await expect(
        isStored ? next : bytes(size, seed: round), at: "a", in: store,
        "after setObjectAtOnce has answered \(isStored) in round \(round)")
    }
    try await expectKeys(["a", "b"], in: store, "after overwriting")
    try await expect(text("neighbour"), at: "b", in: store, "after overwriting another key")
    let time = try await Moments(of: self, in: store)
    try await store.setObject(text("short"), forKey: "a", expiry: .seconds(time.unit))
    try await store.setObject(text("for ever"), forKey: "a", expiry: .never)
    try await time.pass(time.unit * 2)
    try await expect(
      text("for ever"), at: "a", in: store, "after .never replaced an expiry that has passed")
    try await store.setObject(text("short"), forKey: "a", expiry: .seconds(time.unit))
    try await time.pass(time.unit * 2)
    try await expect(nil, at: "a", in: store, "after an expiry replaced .never, and passed")
    try await store.setObject(text("again"), forKey: "a", expiry: nil)
    try await expect(text("again"), at: "a", in: store, "after a write over an expired entry")
    try await replacing(in: store)
    for seconds in [1e6, 2e6, 1e5] {
      let expiry = Expiry.date(store.clock.now.addingTimeInterval(seconds))
      try await store.setObject(text("mortal"), forKey: "b", expiry: expiry)
      try await expectExpiry(expiry, of: "b", in: store, "after a write with another expiry")
    }
  }

  /// Checks that `replaceObject` stores a value with the expiry of the entry that it has read.
  func replacing(in store: Store) async throws {
    try await store.setObject(text("neighbour"), forKey: "b", expiry: nil)
    for expiry in [Expiry.never, .date(store.clock.now.addingTimeInterval(1e6))] {
      try await store.setObject(text("read"), forKey: "c", expiry: expiry)
      let read = try await store.entry(forKey: "c").expiry
      try await store.replaceObject(text("changed"), forKey: "c", expiry: read)
      try await expect(text("changed"), at: "c", in: store, "after replaceObject")
      try await expectExpiry(expiry, of: "c", in: store, "after replaceObject")
    }
    try await expect(text("neighbour"), at: "b", in: store, "after replaceObject of another key")
  }

  /// Checks the expiry of an entry, as exactly as the store represents dates.
  func expectExpiry(
    _ expiry: Expiry, of key: String, in store: Store, _ circumstances: String
  ) async throws {
    let found = try await store.entry(forKey: key).expiry
    let told = try await store.expiryIfPresent(forKey: key) ?? .date(.distantPast)
    for (found, way) in [(found, "an entry has the expiry"), (told, "expiryIfPresent answers")] {
      let distance = found.date.timeIntervalSince(expiry.date)
      try expect(
        (found == .never) == (expiry == .never) && abs(distance) <= subject.expiryResolution + 1e-6,
        "\(circumstances), \(way) \(found), and not \(expiry)")
    }
  }

  func removing() async throws {
    let store = try await open()
    do { try await store.removeObject(forKey: "never there") } catch {
      throw broken("removing an absent key threw \(error)")
    }
    for key in ["a", "b", "c"] { try await store.setObject(text(key), forKey: key, expiry: nil) }
    try await store.removeObject(forKey: "b")
    try await expect(nil, at: "b", in: store, "after removal")
    try await expect(text("a"), at: "a", in: store, "after the removal of another key")
    try await expectKeys(["a", "c"], in: store, "after the removal of \"b\"")
    do { try await store.removeObject(forKey: "b") } catch {
      throw broken("removing a key a second time threw \(error)")
    }
    try await store.setObject(text("again"), forKey: "b", expiry: nil)
    try await expect(text("again"), at: "b", in: store, "after removal and another write")
    // A read may cache the value in memory.
    _ = try await store.objectIfPresent(forKey: "a")
    try await store.removeInMemoryObject(forKey: "a")
    try expect(
      store.peek(forKey: "a") == nil, "peek still shows what removeInMemoryObject has dropped from memory")
    try await store.removeInMemoryObject(forKey: "never there")
    try await expect(text("c"), at: "c", in: store, "after removeInMemoryObject of another key")
  }

  func removingAll() async throws {
    let store = try await open()
    try await store.removeAll()
    let names = (0..<50).map { "key \($0)" }
    for round in 0..<2 {
      for name in names { try await store.setObject(text(name), forKey: name, expiry: nil) }
      try await store.setObject(text("expired"), forKey: "expired", expiry: .date(.distantPast))
      try await store.removeAll()
      try await expectKeys([], in: store, "after removeAll \(round)")
      for name in names + ["expired"] {
        try await expect(nil, at: name, in: store, "after removeAll \(round)")
      }
    }
    try await store.setObject(text("new"), forKey: "key 1", expiry: nil)
    try await expect(text("new"), at: "key 1", in: store, "after removeAll and another write")
    try await expectKeys(["key 1"], in: store, "after removeAll and another write")
  }

  func anyValue() async throws {
    let store = try await open()
    var samples: [String: Data] = [
      "empty": Data(), "zero": Data([0]), "zeros": Data(count: size(10_000)),
      "every byte": Data(UInt8.min...UInt8.max),
      "ones": Data(repeating: 0xFF, count: size(4096)), "no text": Data([0xC3, 0x28, 0xFF, 0xFE]),
      "text": text("é\n\0\"'"),
      "null": text("null"), "number": text("1"), "slice": bytes(100, seed: 1).dropFirst(10),
    ]
    // Sizes around the limits of pages, buffers and short length fields.
    for power in [7, 8, 12, 15, 16, 20] {
      for size in [(1 << power) - 1, 1 << power, (1 << power) + 1] where size <= subject.hugeValueSize {
        samples["\(size)"] = bytes(size, seed: power)
      }
    }
    for (key, value) in samples { try await store.setObject(value, forKey: key, expiry: nil) }
    for (key, value) in samples { try await expect(value, at: key, in: store, "of many kinds of values") }
    let start = try await store.object(forKey: "every byte").startIndex
    try expect(start == 0, "the indices of a value begin at \(start), so that its first byte is not value[0]")
    for key in samples.keys { try await store.setObject(Data(), forKey: key, expiry: nil) }
    for key in samples.keys {
      try await expect(Data(), at: key, in: store, "after an empty value replaced it")
    }
  }

  func hugeValue() async throws {
    let store = try await open()
    let size = min(subject.hugeValueSize, Effort.current.hugeValueSize)
    try await store.setObject(text("small"), forKey: "small", expiry: nil)
    for seed in 1...2 {
      let value = bytes(size - seed, seed: seed)
      try await store.setObject(value, forKey: "huge", expiry: nil)
      let found = try await store.entryIfPresent(forKey: "huge")?.object
      try expect(found, value, "entryIfPresent", "huge", "after write \(seed)")
    }
    try await expect(text("small"), at: "small", in: store, "beside a huge value")
    try await store.removeObject(forKey: "huge")
    try await expect(nil, at: "huge", in: store, "after the removal of a huge value")
  }
}
