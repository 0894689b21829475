#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The expiry of values that are written in parts.
extension Trial {
  func streamExpiry() async throws {
    let store = try await open()
    let time = try await Moments(of: self, in: store)
    let value = MarkedValue(1, count: size(100_000))
    let long = Expiry.date(time.now.addingTimeInterval(1e6))
    for expiry in [Expiry.never, long, .seconds(1e6), .never] {
      let date = expiry.resolved(by: store.clock)
      try await store.write(forKey: "a", expiry: expiry, from: PartSource(value.data))
      try await expectStreamExpiry(date, of: "a", in: store, time, "written with \(expiry)")
    }
    try await store.setObject(value.data, forKey: "set", expiry: long)
    try await expectStreamExpiry(long, of: "set", in: store, time, "after setObject with an expiry")
    if store is any ConditionalStorage, !subject.except.contains(.conditions) {
      let later = Expiry.date(time.now.addingTimeInterval(2e6))
      let isMade = try await store.change("a", .touch(later), [])
      try expect(isMade, "touch does not find a value that was written in parts")
      try await expectStreamExpiry(later, of: "a", in: store, time, "after touch")
      try await expectStream(value, at: "a", in: store, "after touch")
    }
    let soon = time.now.addingTimeInterval(time.unit)
    try await store.write(forKey: "mortal", expiry: .date(soon), from: PartSource(value.data))
    try await time.before(soon) {
      try await expectStream(value, at: "mortal", in: store, "before its expiry")
    }
    try await time.pass(time.unit + time.resolution)
    try await expectStream(nil, at: "mortal", in: store, "after its expiry")
    try await expect(nil, at: "mortal", in: store, "after the expiry of a value that was written in parts")
    try await store.removeExpiredObjects()
    try await expectStream(nil, at: "mortal", in: store, "after a sweep")
    try await expectStream(value, at: "a", in: store, "after a sweep of another key")
    try await expectKeys(["a", "set"], in: store, "after a sweep")
    if subject.except.contains(.pastExpiry) { return }
    try await store.write(forKey: "a", expiry: .date(.distantPast), from: PartSource(value.data))
    try await expectStream(nil, at: "a", in: store, "written in parts with an expiry that has passed")
    try await expect(nil, at: "a", in: store, "written in parts with an expiry that has passed")
    try await expectKeys(["set"], in: store, "written in parts with an expiry that has passed")
  }

  /// A value that is written in parts without an expiry gets the store's own.
  func ownExpiryOfStreams() async throws {
    let unit = max(60, subject.expiryResolution * 4)
    try await withOtherStore(expiry: .seconds(unit)) { store in
      // Durations count from the commit. The clock may not stand still.
      let earliest = store.clock.now.addingTimeInterval(unit - subject.expiryResolution - 1e-6)
      try await store.write(forKey: "own", from: PartSource(text("own")))
      let latest = store.clock.now.addingTimeInterval(unit + subject.expiryResolution + 1e-6)
      for expiry in [try await store.read(forKey: "own").expiry, try await store.entry(forKey: "own").expiry]
      {
        guard case .date(let date) = expiry, (earliest...latest).contains(date) else {
          throw broken("written in parts to a store with an expiry of \(unit) s, the entry has \(expiry)")
        }
      }
    }
  }

  /// Checks the expiry that a stream states, and the one that an entry has.
  private func expectStreamExpiry(
    _ expiry: Expiry, of key: String, in store: Store, _ time: Moments, _ circumstances: String
  ) async throws {
    for (found, way) in [
      (try await store.read(forKey: key).expiry, "read(forKey:) states the expiry"),
      (try await store.entry(forKey: key).expiry, "an entry has the expiry"),
    ] {
      // With a real clock, a duration begins a moment after it was resolved here.
      let slack = time.resolution + (time.isManual ? 1e-6 : 60)
      try expect(
        (found == .never) == (expiry == .never)
          && abs(found.date.timeIntervalSince(expiry.date)) <= slack,
        "\(circumstances), \(way) \(found), and not \(expiry)")
    }
  }
}
