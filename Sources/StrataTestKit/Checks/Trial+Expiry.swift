#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  func expiry() async throws {
    let store = try await open()
    let time = try await Moments(of: self, in: store)
    try await expectLife(.seconds(time.unit), lasting: time.unit, in: store, time)
    try await expectLife(.date(time.now.addingTimeInterval(time.unit)), lasting: time.unit, in: store, time)
    let soon = time.now.addingTimeInterval(time.unit)
    try await store.setObjects(["b": text("b"), "c": text("c")], expiry: .seconds(time.unit))
    try await time.before(soon) {
      for key in ["b", "c"] {
        try await expect(text(key), at: key, in: store, "before the expiry of a batch")
      }
    }
    try await time.pass(time.unit + time.resolution)
    for key in ["b", "c"] { try await expect(nil, at: key, in: store, "after the expiry of a batch") }
    // Extreme dates, which the number type of an engine may not be able to represent.
    for (name, date) in [
      ("the distant future", Date.distantFuture), ("2150", Date(timeIntervalSince1970: 5_680_281_600)),
    ] {
      try await store.setObject(text("late"), forKey: "late", expiry: .date(date))
      try await expect(text("late"), at: "late", in: store, "with an expiry in \(name)")
      // So far from 1970, the floating-point number of a date is less exact than a microsecond.
      let found = try await store.entry(forKey: "late").expiry.date
      try expect(
        abs(found.timeIntervalSince(date)) <= time.resolution + 0.001,
        "with an expiry in \(name), which is \(date.timeIntervalSince1970), the entry expires at \(found.timeIntervalSince1970)"
      )
    }
    try await store.setObject(text("late"), forKey: "late", expiry: .seconds(.infinity))
    try await expect(text("late"), at: "late", in: store, "stored for infinitely many seconds")
  }

  func shortExpiry() async throws {
    let store = try await open()
    let time = try await Moments(of: self, in: store)
    for life in time.isManual ? [0.001, 0.25, 0.999] : [0.2, 0.35] {
      try await expectLife(.seconds(life), lasting: life, in: store, time)
    }
  }

  /// Stores a value with an expiry `life` seconds from now. Checks that the value is returned until then, and not
  /// afterwards.
  private func expectLife(_ expiry: Expiry, lasting life: Double, in store: Store, _ time: Moments)
    async throws
  {
    let before = time.now
    try await store.setObject(text("mortal"), forKey: "mortal", expiry: expiry)
    let after = time.now
    let entry = try await store.entryIfPresent(forKey: "mortal")
    guard case .date(let date) = entry?.expiry else {
      throw broken("stored with \(expiry), the entry has \(shown(entry?.expiry)) and not a date")
    }
    let (earliest, latest) =
      if case .date(let given) = expiry { (given, given) } else {
        (before.addingTimeInterval(life), after.addingTimeInterval(life))
      }
    try expect(
      date >= earliest.addingTimeInterval(-slack(time)) && date <= latest.addingTimeInterval(slack(time)),
      "stored with \(expiry) at \(before.timeIntervalSince1970), the entry expires at \(date.timeIntervalSince1970)"
    )
    if time.isManual {
      let eve = life - time.resolution - min(life / 2, 0.0005)
      if eve > 0 {
        try await time.pass(eve)
        try await expect(text("mortal"), at: "mortal", in: store, "\(life - eve) s before its expiry")
      }
      try await time.pass(life - max(eve, 0) + time.resolution)
    } else {
      try await time.pass(life + time.resolution)
    }
    try await expect(nil, at: "mortal", in: store, "when its \(life) s have passed")
    if let stale = try await store.entryIfPresent(forKey: "mortal") {
      try expect(
        stale.expiry.isExpired(by: store.clock),
        "when its \(life) s have passed, the entry says \(stale.expiry)")
    }
  }

  /// Returns the allowed difference of a date from the requested one: the number of a date is inexact in the seventh
  /// digit of a second.
  private func slack(_ time: Moments) -> Double { time.resolution + 1e-6 }

  func pastExpiry() async throws {
    let store = try await open()
    let time = try await Moments(of: self, in: store)
    let second = max(1, 2 * time.resolution)
    let past: [Expiry] = [
      .seconds(-time.resolution), .seconds(-second), .date(time.now.addingTimeInterval(-second)),
      .date(.distantPast),
      .date(Date(timeIntervalSince1970: 0)), .seconds(-1e9),
    ]
    for expiry in past {
      try await store.setObject(text("dead"), forKey: "dead", expiry: expiry)
      try await expect(nil, at: "dead", in: store, "stored with \(expiry), which has passed")
      try await expectKeys([], in: store, "stored with \(expiry), which has passed")
      try await store.setObject(text("alive"), forKey: "dead", expiry: .never)
      try await store.setObject(text("dead"), forKey: "dead", expiry: expiry)
      try await expect(
        nil, at: "dead", in: store, "stored with \(expiry), which has passed, in place of a value")
      try await store.setObjects(["dead": text("dead")], expiry: expiry)
      try await expect(nil, at: "dead", in: store, "stored in a batch with \(expiry), which has passed")
      let all = try await store.allObjects()
      try expect(all.isEmpty, "allObjects gives \(all.count) values that have expired")
    }
  }

  func ownExpiry() async throws {
    let unit = max(60, subject.expiryResolution * 4)
    let store = try await open(expiry: .seconds(unit))
    let time = try await Moments(of: self, in: store)
    let before = time.now
    try await store.setObject(text("own"), forKey: "own", expiry: nil)
    try await store.setObjects(["own 2": text("own")], expiry: nil)
    try await store.set(text("own"), forKey: "own 3")
    try await store.setObject(text("given"), forKey: "given", expiry: .seconds(unit * 10))
    try await store.setObject(text("never"), forKey: "never", expiry: .never)
    let dates =
      before.addingTimeInterval(unit - slack(time))...time.now.addingTimeInterval(unit + slack(time))
    let own = ["own", "own 2", "own 3"]
    for key in own {
      try await expect(text("own"), at: key, in: store, "before the store's own expiry")
      let expiry = try await store.entry(forKey: key).expiry
      guard case .date(let date) = expiry, dates.contains(date) else {
        throw broken("in a store with an expiry of \(unit) s, the entry \(shown(key)) has \(expiry)")
      }
    }
    let never = try await store.entry(forKey: "never").expiry
    try expect(never == .never, "stored with .never in a store with an expiry, the entry has \(never)")
    // If time cannot be moved, only the date is checked.
    guard time.isManual else { return }
    try await time.pass(unit + time.resolution)
    for key in own { try await expect(nil, at: key, in: store, "after the store's own expiry") }
    try await expect(
      text("given"), at: "given", in: store, "with an expiry of its own, after that of the store")
    try await expect(
      text("never"), at: "never", in: store, "stored with .never, after the expiry of the store")
  }

  func sweeping() async throws {
    let store = try await open()
    let time = try await Moments(of: self, in: store)
    for number in 0..<30 {
      let expiry: Expiry = [.never, .seconds(time.unit), .seconds(1e6)][number % 3]
      try await store.setObject(text("\(number)"), forKey: "\(number)", expiry: expiry)
    }
    try await time.pass(time.unit * 2)
    // This entry had a short expiry and is stored again with a long one.
    try await store.setObject(text("1"), forKey: "1", expiry: .seconds(1e6))
    try await store.removeExpiredObjects()
    var kept: [String] = []
    for number in 0..<30 {
      let isKept = number % 3 != 1 || number == 1
      if isKept { kept.append("\(number)") }
      try await expect(isKept ? text("\(number)") : nil, at: "\(number)", in: store, "after a sweep")
      let entry = try await store.entryIfPresent(forKey: "\(number)")
      try expect(
        (entry != nil) == isKept,
        "after a sweep, the entry \(number) is \(entry == nil ? "gone" : "still there")")
    }
    try await expectKeys(kept, in: store, "after a sweep")
    for call in 1...4 { try await writeDuringSweep(atReading: call) }
    try await sweepWhileWriting(in: store)
  }

  /// Replaces an expired value while a sweep reads the clock, and checks that the new value stays.
  private func writeDuringSweep(atReading call: Int) async throws {
    try await interrupt(atReading: call) { store in
      try await store.setObject(text("dead"), forKey: "swept", expiry: .date(.distantPast))
    } operation: { store in
      try await store.removeExpiredObjects()
    } other: { store in
      try await store.setObject(text("new"), forKey: "swept", expiry: .never)
    } check: { store in
      try await expect(text("new"), at: "swept", in: store, "written in the middle of a sweep")
    }
  }

  /// Checks that a sweep does not remove a value that replaces an expired one during the sweep.
  private func sweepWhileWriting(in store: Store) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (writers, sweeps) = (Shared(3), Shared(0))
      let line = StartLine(of: 4)
      let rounds = Effort.current.rounds(100)
      for writer in 0..<3 {
        group.addTask {
          defer { writers.change { $0 -= 1 } }
          let key = "again \(writer)"
          try await line.meet()
          for round in 0..<rounds * 8 {
            // On few processors the sweeps can be slower than the writers, who must not be done before a few met.
            guard round < rounds || sweeps.value < rounds else { break }
            try await store.setObject(text("dead"), forKey: key, expiry: .date(.distantPast))
            // Delays that vary, so that writes do not fall into step with the sweeps.
            for _ in 0...(round + writer) % 4 { await Task.yield() }
            try await store.setObject(text("\(round)"), forKey: key, expiry: nil)
            for _ in 0...round % 3 { await Task.yield() }
            let found = try await store.objectIfPresent(forKey: key)
            try expect(
              found, text("\(round)"), "objectIfPresent", key, "written while expired entries were swept")
          }
        }
      }
      group.addTask {
        try await line.meet()
        while writers.value > 0 {
          try await store.removeExpiredObjects()
          sweeps.change { $0 += 1 }
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
  }
}
