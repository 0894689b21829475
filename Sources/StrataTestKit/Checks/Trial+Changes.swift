#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  func changes() async throws {
    let store = try await open()
    // A store that keeps no expiries is checked without.
    let lasting: Expiry =
      subject.except.contains(.expiry) ? .never : .date(store.clock.now.addingTimeInterval(1e6))
    try await changeValues(in: store, lasting)
    try await changeUnderConditions(in: store, lasting)
    try await changeBatches(in: store)
    try await changeAtOnce(in: store)
  }

  private func change(
    _ key: String, _ change: StoreChange<Data>, of name: String, isMade: Bool, in store: Store
  ) async throws {
    let answer = try await store.change(key, change, [])
    try expect(answer == isMade, "a change of the kind \(name) answers \(answer), and not \(isMade)")
  }

  private func changeValues(in store: Store, _ lasting: Expiry) async throws {
    try await change("a", .set(text("one"), lasting), of: "set", isMade: true, in: store)
    try await expect(text("one"), at: "a", in: store, "after a change of the kind set")
    try await change("a", .replace(text("two"), lasting), of: "replace", isMade: true, in: store)
    try await expect(text("two"), at: "a", in: store, "after a change of the kind replace")
    try await expectExpiry(lasting, of: "a", in: store, "after a change of the kind replace")
    _ = try await store.change("a", .forget, [])
    // A store that has the value only in memory no longer has it.
    let left = try await store.objectIfPresent(forKey: "a")
    try expect(
      left == nil || left == text("two"), "after a change of the kind forget, the key has another value")
    try await store.change("neighbour", .set(text("near"), nil), [])
    try await store.change("a", .remove, [])
    try await expect(nil, at: "a", in: store, "after a change of the kind remove")
    try await expect(text("near"), at: "neighbour", in: store, "after a removal of another key")
    try await store.change("a", .remove, [])
  }

  private func changeUnderConditions(in store: Store, _ lasting: Expiry) async throws {
    try await change("b", .setIfAbsent(text("one"), lasting), of: "setIfAbsent", isMade: true, in: store)
    try await expect(text("one"), at: "b", in: store, "after setIfAbsent of an absent key")
    try await expectExpiry(lasting, of: "b", in: store, "after setIfAbsent of an absent key")
    try await change("b", .setIfAbsent(text("two"), nil), of: "setIfAbsent", isMade: false, in: store)
    try await expect(text("one"), at: "b", in: store, "after setIfAbsent of a key with a value")
    try await change("b", .touch(.never), of: "touch", isMade: true, in: store)
    try await expect(text("one"), at: "b", in: store, "after touch of a key with a value")
    try await expectExpiry(.never, of: "b", in: store, "after touch of a key with a value")
    try await change("never there", .touch(.never), of: "touch", isMade: false, in: store)
    try await expect(nil, at: "never there", in: store, "after touch of an absent key")
  }

  private func changeBatches(in store: Store) async throws {
    try await store.change(.set(["c": text("1"), "d": text("2")], nil), [])
    try await store.change(.setEntries(["d": Entry(object: text("3")), "e": Entry(object: text("4"))]), [])
    try await store.change(.remove(["c", "never there"]), [])
    for (key, value) in ["c": nil, "d": text("3"), "e": text("4")] {
      try await expect(value, at: key, in: store, "after three batches of changes")
    }
    let found = try await store.read(["c", "d", "e"], [])
    try expect(
      found.mapValues(\.object) == ["d": text("3"), "e": text("4")], "a read of many keys finds \(found)")
  }

  private func changeAtOnce(in store: Store) async throws {
    try await store.change("f", .set(text("old"), nil), [])
    for (name, change, after) in [
      ("set", StoreChange.set(text("new"), nil), text("new")), ("remove", .remove, nil),
    ] {
      let before = try await store.objectIfPresent(forKey: "f")
      let isMade: Bool
      do {
        try await store.change("f", change, .atOnce)
        isMade = true
      } catch is WouldWait { isMade = false }
      try await expect(
        isMade ? after : before, at: "f", in: store,
        "after a change at once of the kind \(name) that was \(isMade ? "made" : "refused")")
    }
  }
}
