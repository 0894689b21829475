import StrataCore

extension ChainTrial {
  func promotion() async throws {
    switch check.circumstance {
    case .oneProcess: try await changeDuringReads()
    case .twoProcesses: try await changeInOtherProcessDuringReads()
    case .restart: try await promoteAfterRestart()
    case .failingTier: try await promoteToFailingTiers()
    }
  }

  /// Changes a key while the back has answered a read, and the answer has not reached the front yet.
  private func changeDuringReads() async throws {
    let (old, new) = (ChainRecord(text: "old"), ChainRecord(text: "new"))
    let changes:
      [(String, ChainRecord?, @Sendable (any StorageAware<String, ChainRecord>) async throws -> Void)] = [
        ("setObject", new, { try await $0.setObject(new, forKey: "key", expiry: nil) }),
        ("setObjects", new, { try await $0.setObjects(["key": new], expiry: nil) }),
        ("removeObject", nil, { try await $0.removeObject(forKey: "key") }),
        ("removeObjects", nil, { try await $0.removeObjects(forKeys: ["key"]) }),
        ("removeAll", nil, { try await $0.removeAll() }),
      ]
    for (name, result, change) in changes {
      for many in [false, true] {
        let switches = Switches()
        let chain = try await open(switches)
        try await chain.records.setObject(old, forKey: "key", expiry: nil)
        try await forget(["key"], in: chain)
        let (interruption, back) = (Interruption(), switches.state(of: .back))
        back.onRead { interruption.pass() }
        try await interruption.run {
          if many {
            _ = try await chain.records.entries(forKeys: ["key"])
          } else {
            _ = try await chain.records.objectIfPresent(forKey: "key")
          }
        } other: {
          try await change(chain.records)
        }
        back.onRead(nil)
        try await expect(result, at: "key", in: chain, "after \(name) in the middle of a read")
      }
    }
  }

  /// Another process changes a key during a read. The copy that the read makes must not outlast the change.
  private func changeInOtherProcessDuringReads() async throws {
    let (old, new) = (ChainRecord(text: "old"), ChainRecord(text: "new"))
    let switches = Switches()
    let chain = try await open(switches)
    if chain.keepsCopies { throw NotInChain(reason: "other processes cannot invalidate its copies") }
    let back = switches.state(of: .back)
    try await withChild { child in
      for result in [new, nil] {
        try await chain.records.setObject(old, forKey: "key", expiry: nil)
        try await forget(["key"], in: chain)
        let interruption = Interruption()
        back.onRead { interruption.pass() }
        try await interruption.run {
          _ = try await chain.records.objectIfPresent(forKey: "key")
        } other: {
          try await child.perform(result == nil ? .remove("key") : .set("key", new, expiry: nil))
        }
        back.onRead(nil)
        try await waitUntil { try await chain.records.objectIfPresent(forKey: "key") == result }
        try await expect(
          result, at: "key", in: chain, "some seconds after a change in another process, during a read")
      }
    }
  }

  /// A tier of an earlier run must not have what was replaced or removed in that run.
  private func promoteAfterRestart() async throws {
    let new = ChainRecord(text: "new")
    do {
      let chain = try await open()
      for key in ["replaced", "removed", "kept"] {
        try await chain.records.setObject(ChainRecord(text: "old"), forKey: key, expiry: nil)
        try await forget([key], in: chain)
        _ = try await chain.records.objectIfPresent(forKey: key)
      }
      try await chain.records.setObject(new, forKey: "replaced", expiry: nil)
      try await chain.records.removeObject(forKey: "removed")
    }
    let chain = try await open()
    for _ in 0..<2 {
      try await expect(new, at: "replaced", in: chain, "after a restart")
      try await expect(nil, at: "removed", in: chain, "after a restart")
      try await expect(ChainRecord(text: "old"), at: "kept", in: chain, "after a restart")
      try await forget(["replaced", "removed", "kept"], in: chain)
    }
  }

  /// A front that refuses a copy does not fail the read, and has no old value afterwards.
  private func promoteToFailingTiers() async throws {
    try await withFailures([.refusesValues, .refusesChanges]) { chain, tier in
      if tier.position == .back { return }
      let (old, new) = (ChainRecord(text: "old"), ChainRecord(text: "new"))
      let parts = StrataTestKit.bytes(700_000, seed: 1)
      try await chain.records.setObject(old, forKey: "key", expiry: nil)
      try await chain.bytes?.write(forKey: "parts", from: PartSource(parts))
      origin.change { $0["key"] = old }
      try await forget(["key", "parts"], in: chain)
      try await tier.during {
        do {
          try await expect(old, at: "key", in: chain, "while \(tier)")
          let found = try await chain.bytes?.objectInParts(forKey: "parts")
          try expect(
            chain.bytes == nil || found == parts, "while \(tier), a value in parts has \(shown(found))")
        } catch TierState.Failed() {
          throw BrokenChain(explanation: "a read throws, because \(tier) when the value is copied to it")
        }
      }
      try await chain.records.setObject(new, forKey: "key", expiry: nil)
      origin.change { $0["key"] = new }
      try await expect(new, at: "key", in: chain, "after \(tier) and a write")
    }
  }
}
