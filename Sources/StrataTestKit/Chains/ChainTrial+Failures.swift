import StrataCore

extension ChainTrial {
  /// Makes each tier fail, in each way, during a read and during every kind of change of a key that the chain has read.
  func failures() async throws {
    try await withFailures([.down]) { chain, tier in try await readWhileFailing(chain, tier) }
    let (old, new) = (ChainRecord(text: "old"), ChainRecord(text: "new"))
    let changes:
      [(String, ChainRecord?, @Sendable (any StorageAware<String, ChainRecord>) async throws -> Void)] = [
        ("setObject", new, { try await $0.setObject(new, forKey: "key", expiry: nil) }),
        ("setObjects", new, { try await $0.setObjects(["key": new, "other": new], expiry: nil) }),
        ("removeObject", nil, { try await $0.removeObject(forKey: "key") }),
        ("removeObjects", nil, { try await $0.removeObjects(forKeys: ["key", "other"]) }),
        ("removeAll", nil, { try await $0.removeAll() }),
        (
          "update", new,
          { store in
            guard let store = store as? any UpdateableStorage<String, ChainRecord> else {
              throw NotInChain(reason: "")
            }
            _ = try await store.update(forKey: "key") { $0 = new }
          }
        ),
      ]
    for (name, result, change) in changes {
      try await withFailures { chain, tier in
        try await chain.records.setObject(old, forKey: "key", expiry: nil)
        _ = try await chain.records.objectIfPresent(forKey: "key")
        origin.change { $0["key"] = old }
        var hasReturned = false
        try await tier.during {
          do {
            try await change(chain.records)
            hasReturned = true
            origin.change { $0["key"] = result }
          } catch TierState.Failed() {} catch is NotInChain { return }
          try await expectDuring(
            hasReturned ? [result] : [old, result], in: chain,
            "after \(name) \(hasReturned ? "returned" : "threw") while \(tier)")
        }
        // The back says which of the two it is.
        let found = try await openBeside(tier.switches).records.objectIfPresent(forKey: "key")
        try expect(
          hasReturned ? found == result : [old, result].contains(found),
          "\(name) \(hasReturned ? "returned" : "threw") while \(tier), and \(shown(found)) is stored")
        try await expect(
          found, at: "key", in: chain, "after \(name) \(hasReturned ? "returned" : "threw") while \(tier)")
      }
    }
  }

  private func readWhileFailing(_ chain: TestedChain, _ tier: FailingTier) async throws {
    let record = ChainRecord(text: "stored")
    for key in ["read", "forgotten"] {
      try await chain.records.setObject(record, forKey: key, expiry: nil)
      origin.change { $0[key] = record }
    }
    _ = try await chain.records.objectIfPresent(forKey: "read")
    try await forget(["forgotten"], in: chain)
    try await tier.during {
      for key in ["read", "forgotten"] {
        try await expectDuring([record], at: key, in: chain, "while \(tier)")
      }
    }
    for key in ["read", "forgotten"] { try await expect(record, at: key, in: chain, "after \(tier)") }
  }

  /// Reads a key while a tier fails: each read throws the tier's error, or gives an expected value.
  private func expectDuring(
    _ expected: [ChainRecord?], at key: String = "key", in chain: TestedChain, _ circumstances: String
  ) async throws {
    let store = chain.records
    let reads: [(String, () async throws -> ChainRecord?)] = [
      ("objectIfPresent", { try await store.objectIfPresent(forKey: key) }),
      ("entries(forKeys:)", { try await store.entries(forKeys: [key])[key]?.object }),
      ("object", { try await store.object(forKey: key) }),
    ]
    for (name, read) in reads {
      let found: ChainRecord?
      do { found = try await read() } catch TierState.Failed() { continue } catch StorageError.notFound {
        found = nil
      }
      try expect(
        expected.contains(found),
        "\(circumstances), \(name) gives \(shown(found)) for \(shown(key)), and not "
          + expected.map(shown).joined(separator: " or "))
    }
    do {
      let exists = try await store.objectExists(forKey: key)
      try expect(
        expected.contains { ($0 != nil) == exists },
        "\(circumstances), objectExists gives \(exists) for \(shown(key))")
    } catch TierState.Failed() {}
  }
}
