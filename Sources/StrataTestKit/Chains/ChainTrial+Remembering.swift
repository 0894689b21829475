#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension ChainTrial {
  func remembering() async throws {
    switch check.circumstance {
    case .oneProcess:
      let chain = try await open()
      let expected = try await fill(chain)
      try await lookAgain(for: expected, in: chain, "after the writes")
      try await forget(Array(expected.keys), in: chain)
      try await lookAgain(for: expected, in: chain, "without the copies in the front")
      try await removeOtherwise(in: chain) { chain }
    case .twoProcesses: try await rememberBeside()
    case .restart:
      let expected = try await fill(open())
      for _ in 0..<2 { try await lookAgain(for: expected, in: open(), "after a restart") }
      try await removeOtherwise(in: open()) { try await open() }
      try await open().records.removeAll()
      try await lookAgain(for: expected.mapValues { _ in nil }, in: open(), "after removeAll and a restart")
    case .failingTier: try await rememberFailures()
    }
  }

  /// Makes every kind of change. Returns the keys with the value that each has then.
  private func fill(_ chain: TestedChain) async throws -> [String: ChainRecord?] {
    let store = chain.records
    func record(_ text: String) -> ChainRecord { ChainRecord(number: 1, text: text) }
    for key in ["overwritten", "removed", "removed of many", "updated"] {
      try await store.setObject(record("old"), forKey: key, expiry: nil)
      // The front has a copy of the old value.
      _ = try await store.objectIfPresent(forKey: key)
    }
    try await store.setObject(record("single"), forKey: "single", expiry: nil)
    try await store.setObject(record("new"), forKey: "overwritten", expiry: nil)
    try await store.setObjects(["one": record("one"), "two": record("two")], expiry: nil)
    try await store.removeObject(forKey: "removed")
    try await store.removeObjects(forKeys: ["removed of many"])
    var expected: [String: ChainRecord?] = [
      "overwritten": record("new"), "removed": nil, "removed of many": nil, "single": record("single"),
      "one": record("one"), "two": record("two"), "updated": record("old"), "never there": nil,
    ]
    if let store = store as? any UpdateableStorage<String, ChainRecord> {
      _ = try await store.update(forKey: "updated") { $0.text = "updated" }
      expected["updated"] = record("updated")
    }
    if let store = store as? any ConditionalStorage<String, ChainRecord> {
      _ = try await store.setIfAbsent(record("refused"), forKey: "single", expiry: nil)
      _ = try await store.setIfAbsent(record("first"), forKey: "conditional", expiry: nil)
      expected["conditional"] = record("first")
    }
    return expected
  }

  private func lookAgain(
    for expected: [String: ChainRecord?], in chain: TestedChain, _ circumstances: String
  ) async throws {
    for (key, record) in expected { try await expect(record, at: key, in: chain, circumstances) }
  }

  /// Removes loaded values in each other way of the chain, and looks for them in a chain that is the same or newer.
  private func removeOtherwise(
    in chain: TestedChain, then next: () async throws -> TestedChain
  ) async throws {
    for name in chain.removals.keys.sorted() {
      guard let remove = chain.removals[name] else { continue }
      let key = "removed by \(name)"
      origin.change { $0[key] = ChainRecord(text: "old") }
      try await expect(ChainRecord(text: "old"), at: key, in: chain, "after a load")
      try await remove(key)
      origin.change { $0[key] = ChainRecord(text: "new") }
      try await expect(ChainRecord(text: "new"), at: key, in: next(), "after \(name) of the old value")
      try await remove(key)
      origin.change { $0[key] = nil }
      try await expect(nil, at: key, in: next(), "after \(name) of the last value")
    }
  }

  /// Each process reads what the other one has written, and has not read before.
  private func rememberBeside() async throws {
    let chain = try await open()
    let expected = try await fill(chain)
    try await withChild { child in
      for (key, record) in expected {
        let found = try await child.read(key)
        try expect(
          found == record, "another process reads \(shown(found)) for \(shown(key)), and not \(shown(record))"
        )
      }
      let theirs = ChainRecord(text: "theirs")
      try await child.perform(.set("their one", theirs, expiry: nil))
      try await child.perform(.setMany(["their two": theirs, "their three": theirs]))
      try await child.perform(.remove("their three"))
      for key in ["their one", "their two"] {
        try await expect(theirs, at: key, in: chain, "after a write in another process")
      }
      try await expect(nil, at: "their three", in: chain, "after a removal in another process")
      if chain.keepsCopies { return }
      // The keys have been read here.
      for (round, key) in expected.keys.sorted().enumerated() {
        let newer = ChainRecord(number: round, text: "newer")
        try await child.perform(round % 2 == 0 ? .set(key, newer, expiry: nil) : .remove(key))
        let wanted = round % 2 == 0 ? newer : nil
        try await waitUntil { try await chain.records.objectIfPresent(forKey: key) == wanted }
        try await expect(wanted, at: key, in: chain, "some seconds after a change in another process")
      }
    }
  }

  /// A change that returned stays, whichever tier failed before, during or after it.
  private func rememberFailures() async throws {
    try await withFailures { chain, tier in
      try await chain.records.setObject(ChainRecord(text: "before"), forKey: "before", expiry: nil)
      origin.change { $0["before"] = ChainRecord(text: "before") }
      var accepted = [String: ChainRecord]()
      try await tier.during {
        for number in 0..<3 {
          let record = ChainRecord(number: number, text: "during")
          do {
            try await chain.records.setObject(record, forKey: "during \(number)", expiry: nil)
            accepted["during \(number)"] = record
          } catch TierState.Failed() {}
        }
      }
      try await chain.records.setObject(ChainRecord(text: "after"), forKey: "after", expiry: nil)
      let beside = try await openBeside(tier.switches)
      for chain in [chain, beside] {
        try await expect(ChainRecord(text: "before"), at: "before", in: chain, "after \(tier)")
        try await expect(ChainRecord(text: "after"), at: "after", in: chain, "after \(tier)")
        for (key, record) in accepted {
          try await expect(record, at: key, in: chain, "after a write that returned while \(tier)")
        }
      }
    }
  }
}
