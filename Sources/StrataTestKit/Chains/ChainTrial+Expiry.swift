#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension ChainTrial {
  func expiry() async throws {
    let chain = try await open()
    let time = Moments(self.time, clock: chain.records.clock, resolution: subject.expiryResolution)
    let date = time.now.addingTimeInterval(1e6)
    try await store(until: date, in: chain, time)
    let keys = try await chain.records.keys()
    switch check.circumstance {
    case .oneProcess, .failingTier:
      try await expectExpiries(date, keys, in: chain, time, "after the writes")
      try await forget(keys, in: chain)
      try await expectExpiries(date, keys, in: chain, time, "from the tiers behind the front")
      try await expectExpiries(date, keys, in: chain, time, "in the copies of the front")
      try await expire(in: chain, time)
    case .restart:
      try await expectExpiries(date, keys, in: open(), time, "after a restart")
      try await expire(in: open(), time)
    case .twoProcesses:
      try await withChild { child in
        for key in keys where key.hasPrefix("long") {
          let found = try await child.expiry(key)
          try expect(
            found.map { abs($0.timeIntervalSince(date)) <= time.resolution + 1e-6 } ?? false,
            "another process reads the expiry \(found.map { "\($0)" } ?? "never") of \(shown(key)), and not \(date)"
          )
        }
        try await child.perform(.set("long, of another process", ChainRecord(), expiry: date))
        try await expectExpiries(
          date, ["long, of another process"], in: chain, time, "after a write in another process")
      }
    }
  }

  /// Stores values in every way: those whose keys begin with `long` until a date, and others for a moment.
  private func store(until date: Date, in chain: TestedChain, _ time: Moments) async throws {
    let store = chain.records
    let record = ChainRecord(text: "mortal")
    try await store.setObject(record, forKey: "long", expiry: .date(date))
    try await store.setObjects(["long, of many": record], expiry: .date(date))
    try await store.setObject(record, forKey: "long, replaced", expiry: .never)
    try await store.setObject(record, forKey: "long, replaced", expiry: .date(date))
    if let conditional = store as? any ConditionalStorage<String, ChainRecord> {
      _ = try await conditional.setIfAbsent(record, forKey: "long, if absent", expiry: .date(date))
      try await store.setObject(record, forKey: "long, touched", expiry: .never)
      let isTouched = try await conditional.touch(forKey: "long, touched", expiry: .date(date))
      try expect(isTouched, "touch returns false for a key with a value")
    }
    if let updateable = store as? any UpdateableStorage<String, ChainRecord> {
      try await store.setObject(record, forKey: "long, updated", expiry: .date(date))
      _ = try await updateable.update(forKey: "long, updated") { $0.number += 1 }
    }
    try await store.setObject(record, forKey: "immortal", expiry: .never)
  }

  private func expectExpiries(
    _ date: Date, _ keys: [String], in chain: TestedChain, _ time: Moments, _ circumstances: String
  ) async throws {
    for key in keys {
      let entry = try await chain.records.entry(forKey: key)
      let ends: Date? = if case .date(let date) = entry.expiry { date } else { nil }
      let isKept =
        key == "immortal"
        ? ends == nil : ends.map { abs($0.timeIntervalSince(date)) <= time.resolution + 1e-6 } ?? false
      try expect(
        isKept, "\(circumstances), the entry of \(shown(key)) has the expiry \(entry.expiry), and not \(date)"
      )
    }
  }

  /// Lets values expire, which the front has copies of.
  private func expire(in chain: TestedChain, _ time: Moments) async throws {
    let keys = ["short", "short, forgotten", "short, of many"]
    try await chain.records.setObject(ChainRecord(), forKey: "short", expiry: .seconds(time.unit))
    try await chain.records.setObject(ChainRecord(), forKey: "short, forgotten", expiry: .seconds(time.unit))
    try await chain.records.setObjects(["short, of many": ChainRecord()], expiry: .seconds(time.unit))
    try await forget(["short, forgotten"], in: chain)
    for key in keys { _ = try await chain.records.objectIfPresent(forKey: key) }
    try await time.pass(time.unit * 2)
    for key in keys { try await expect(nil, at: key, in: chain, "after its expiry") }
    let listed = Set(try await chain.records.keys())
    try expect(listed.isDisjoint(with: keys), "keys() lists \(listed.intersection(keys)), which have expired")
    try expect(listed.contains("immortal"), "after others have expired, keys() lacks a key that has not")
  }
}
