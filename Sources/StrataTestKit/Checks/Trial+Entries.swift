#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Checks of batches in which each entry has its own expiry.
extension Trial {
  func entries() async throws {
    // The store's own expiry does not apply to entries that never expire.
    let store = try await open(expiry: .seconds(1e6))
    let now = store.clock.now
    try await store.setEntries([:])
    try await expectKeys([], in: store, "after setEntries([:])")
    try await store.setObject(text("outside"), forKey: "outside", expiry: .date(now.addingTimeInterval(2e6)))
    try await store.setObject(text("old"), forKey: "1", expiry: .date(now.addingTimeInterval(3e6)))
    _ = try await store.objectIfPresent(forKey: "1")
    try await setEntries(from: 0, in: store, at: now, "after setEntries")
    // Entries that had a date now never expire, and the other way round.
    try await setEntries(from: 1, in: store, at: now, "after setEntries of keys that have entries")
    try await expect(text("outside"), at: "outside", in: store, "after setEntries of other keys")
    try await expectExpiry(
      .date(now.addingTimeInterval(2e6)), of: "outside", in: store, "after setEntries of other keys")
    if !subject.except.contains(.pastExpiry) {
      let past = Entry(object: text("past"), expiry: .date(now.addingTimeInterval(-10)))
      try await store.setEntries(["1": past, "2": Entry(object: text("later"))])
      try await expect(nil, at: "1", in: store, "after setEntries with an expiry that has passed")
      try await expect(text("later"), at: "2", in: store, "after setEntries with another key's expiry passed")
    }
    if subject.hasAtomicEntries { try await atomicEntries() }
  }

  /// Stores entries that expire at different times, or never, and reads them.
  private func setEntries(
    from first: Int, in store: Store, at now: Date, _ circumstances: String
  ) async throws {
    var entries: [String: Entry<Data>] = [:]
    for number in 0..<40 {
      let place = (number + first) % 4
      let expiry = place == 0 ? Expiry.never : .date(now.addingTimeInterval(1000 * Double(place + number)))
      entries["\(number)"] = Entry(object: text("\(number), \(first)"), expiry: expiry)
    }
    try await store.setEntries(entries)
    for (key, entry) in entries {
      try await expect(entry.object, at: key, in: store, circumstances)
      try await expectExpiry(entry.expiry, of: key, in: store, circumstances)
    }
    try await expectKeys(entries.keys + ["outside"], in: store, circumstances)
  }

  /// One task writes batches while others read keys one after the other. No read may return an older batch than an
  /// earlier read did.
  private func atomicEntries() async throws {
    let store = try await open()
    let keys = (0..<40).map { "entry \($0)" }
    let now = store.clock.now
    @Sendable func write(_ generation: Int) async throws {
      var entries: [String: Entry<Data>] = [:]
      for (number, key) in keys.enumerated() {
        let expiry = number % 4 == 0 ? Expiry.never : .date(now.addingTimeInterval(1e6 + Double(number)))
        entries[key] = Entry(object: text("\(generation)"), expiry: expiry)
      }
      try await store.setEntries(entries)
    }
    try await write(0)
    try await expectWholeBatches(of: keys, in: store) { try await write($0) }
  }
}
