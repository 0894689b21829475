import StrataCore

extension ChainTrial {
  func keys() async throws {
    switch check.circumstance {
    case .oneProcess:
      let chain = try await open()
      let stored = try await store(in: chain)
      try await expectKeys(stored, in: chain, "after the writes")
      try await forget(Array(stored), in: chain)
      try await expectKeys(stored, in: chain, "without the copies in the front")
      try await chain.records.removeAll()
      try await expectKeys([], in: chain, "after removeAll")
    case .restart:
      let stored = try await store(in: open())
      let chain = try await open()
      try await expectKeys(stored, in: chain, "after a restart")
      try await chain.records.setObject(ChainRecord(), forKey: "new", expiry: nil)
      try await expectKeys(stored.union(["new"]), in: chain, "after a restart and a write")
    case .twoProcesses:
      let chain = try await open()
      let stored = try await store(in: chain)
      try await withChild { child in
        let theirs = try await child.keys()
        try expect(
          Set(theirs) == stored, "another process lists \(theirs.sorted()), and not \(stored.sorted())")
        try await child.perform(.setMany(["theirs 1": ChainRecord(), "theirs 2": ChainRecord()]))
        // A copy of a removed value is still read, and listed.
        let removed = chain.keepsCopies ? "never there" : "removed by them"
        try await child.perform(.remove(removed))
        try await expectKeys(
          stored.union(["theirs 1", "theirs 2"]).subtracting([removed]), in: chain,
          "after changes in another process")
      }
    case .failingTier:
      try await withFailures { chain, tier in
        let stored = try await store(in: chain)
        try await tier.during {
          do { try await expectKeys(stored, in: chain, "while \(tier)") } catch TierState.Failed() {}
        }
        try await expectKeys(stored, in: chain, "after \(tier)")
      }
    }
  }

  private func store(in chain: TestedChain) async throws -> Set<String> {
    var keys = Set((0..<30).map { "key \($0)" })
    let many = Dictionary(uniqueKeysWithValues: keys.map { ($0, ChainRecord(text: $0)) })
    try await chain.records.setObjects(many, expiry: nil)
    for key in ["", "é", "a/b", "removed", "removed by them"] {
      try await chain.records.setObject(ChainRecord(text: key), forKey: key, expiry: nil)
      keys.insert(key)
    }
    try await chain.records.removeObject(forKey: "removed")
    keys.remove("removed")
    return keys
  }

  /// Throws `BrokenChain` unless `keys()` and the pages list exactly the expected keys, each once.
  private func expectKeys(_ expected: Set<String>, in chain: TestedChain, _ circumstances: String)
    async throws
  {
    var paged: [String] = []
    for try await page in chain.records.keyPages(limit: 7) { paged += page }
    for (name, listed) in [("keys()", try await chain.records.keys()), ("keyPages", paged)] {
      let found = Set(listed)
      try expect(
        found == expected,
        "\(circumstances), \(name) lacks \(expected.subtracting(found).sorted()) and lists \(found.subtracting(expected).sorted()) too many"
      )
      try expect(listed.count == found.count, "\(circumstances), \(name) lists a key twice")
    }
  }
}
