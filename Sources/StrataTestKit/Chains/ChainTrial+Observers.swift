import StrataCore

extension ChainTrial {
  func observers() async throws {
    let switches = Switches()
    let chain = try await open(switches)
    if chain.observers.isEmpty { throw NotInChain(reason: "it has no observers") }
    switch check.circumstance {
    case .oneProcess, .restart:
      try await observe(chain)
      if check.circumstance == .restart { try await observe(open()) }
    case .twoProcesses: try await observeOtherProcess(chain)
    case .failingTier: try await observeFailures()
    }
  }

  /// Makes changes of each kind, with two observers of each kind.
  private func observe(_ chain: TestedChain) async throws {
    let store = chain.records
    let record = ChainRecord(text: "observed")
    let watch = try Watch(chain, twice: true)
    defer { watch.end() }
    try await watch.expect([.add(key: "a")], after: "setObject", self) {
      try await store.setObject(record, forKey: "a", expiry: nil)
    }
    try await watch.expect([.add(key: "b"), .add(key: "c")], after: "setObjects", self) {
      try await store.setObjects(["b": record, "c": record], expiry: nil)
    }
    try await watch.expect([], after: "reads", self) {
      for key in ["a", "b", "never there"] { _ = try await store.objectIfPresent(forKey: key) }
      _ = try await store.keys()
    }
    if let store = store as? any UpdateableStorage<String, ChainRecord> {
      try await watch.expect([.add(key: "a")], after: "update", self) {
        _ = try await store.update(forKey: "a") { $0.number += 1 }
      }
    }
    if let store = store as? any ConditionalStorage<String, ChainRecord> {
      try await watch.expect([.add(key: "d")], after: "setIfAbsent", self) {
        _ = try await store.setIfAbsent(record, forKey: "d", expiry: nil)
        _ = try await store.setIfAbsent(record, forKey: "d", expiry: nil)
      }
    }
    try await watch.expect([.remove(key: "b")], after: "removeObject", self) {
      try await store.removeObject(forKey: "b")
    }
    for (name, remove) in chain.removals.sorted(by: { $0.key < $1.key }) {
      origin.change { $0["loaded"] = record }
      _ = try await store.objectIfPresent(forKey: "loaded")
      try await watch.settle(self)
      // Which keys have a tag may be unknown: then the change names none.
      try await watch.expect(oneOf: [.remove(key: "loaded"), .removeAll, .removeExpired], after: name, self) {
        try await remove("loaded")
      }
    }
    try await watch.expect([.removeAll], after: "removeAll", self) { try await store.removeAll() }
  }

  /// Another process changes keys that were read here.
  private func observeOtherProcess(_ chain: TestedChain) async throws {
    if chain.records.invalidationSource == nil {
      throw NotInChain(reason: "its back does not report changes of other processes")
    }
    try await withChild { child in
      try await chain.records.setObject(ChainRecord(text: "old"), forKey: "key", expiry: nil)
      _ = try await chain.records.objectIfPresent(forKey: "key")
      let watch = try Watch(chain, twice: true)
      defer { watch.end() }
      try await watch.expect([.add(key: "key")], after: "a write in another process", self) {
        try await child.perform(.set("key", ChainRecord(text: "new"), expiry: nil))
      }
      _ = try await chain.records.objectIfPresent(forKey: "key")
      try await watch.expect([.remove(key: "key")], after: "a removal in another process", self) {
        try await child.perform(.remove("key"))
      }
    }
  }

  /// A change that throws is observed once if it took effect, and not if it did not.
  private func observeFailures() async throws {
    try await withFailures { chain, tier in
      let new = ChainRecord(text: "new")
      try await chain.records.setObject(ChainRecord(text: "old"), forKey: "key", expiry: nil)
      let watch = try Watch(chain, twice: false)
      defer { watch.end() }
      try await tier.during {
        do { try await chain.records.setObject(new, forKey: "key", expiry: nil) } catch TierState.Failed() {}
      }
      let found = try await chain.records.objectIfPresent(forKey: "key")
      try await watch.expect(
        found == new ? [.add(key: "key")] : [],
        after: "a write while \(tier), and a read that gives \(shown(found))", self
      ) {}
    }
  }
}

/// The changes that the observers of a chain have received.
private final class Watch: Sendable {
  private let received = Shared<[String: [StorageChange<String>]]>([:])
  private let tokens: [ObservationToken]
  private let names: [String]
  private let chain: TestedChain
  /// A change that ends what the observers receive: no call may follow it.
  private static let end = "the last change"

  init(_ chain: TestedChain, twice: Bool) throws {
    self.chain = chain
    var (names, tokens) = ([String](), [ObservationToken]())
    for (kind, observe) in chain.observers {
      for number in 0..<(twice ? 2 : 1) {
        let name = "\(kind) \(number + 1)"
        tokens.append(
          try observe { [received] change in received.change { $0[name, default: []].append(change) } })
        names.append(name)
      }
    }
    (self.names, self.tokens) = (names, tokens)
  }

  func end() { for token in tokens { token.cancel() } }

  /// Waits until every observer has received all changes so far, and forgets them.
  func settle(_ trial: ChainTrial) async throws {
    try await mark(trial)
    received.change { $0 = [:] }
  }

  private func mark(_ trial: ChainTrial) async throws {
    try await chain.records.setObject(ChainRecord(), forKey: Self.end, expiry: nil)
    try await trial.waitUntil {
      names.allSatisfy { received.value[$0]?.contains(.add(key: Self.end)) ?? false }
    }
  }

  /// Throws `BrokenChain` unless each observer receives exactly these changes, in any order, after `body`.
  func expect(
    _ changes: [StorageChange<String>], after name: String, _ trial: ChainTrial,
    _ body: () async throws -> Void
  ) async throws {
    try await body()
    // A change that another process has made may arrive after later ones of this process.
    try await trial.waitUntil {
      names.allSatisfy { name in changes.allSatisfy { received.value[name]?.contains($0) ?? false } }
    }
    try await mark(trial)
    for observer in names {
      let found = (received.value[observer] ?? []).filter { $0 != .add(key: Self.end) }
      try trial.expect(
        found.count == changes.count && changes.allSatisfy(found.contains),
        "after \(name), the observer \(observer) has received \(found), and not \(changes)")
    }
    received.change { $0 = [:] }
  }

  /// Throws `BrokenChain` unless each observer receives exactly one of these changes after `body`.
  func expect(
    oneOf changes: [StorageChange<String>], after name: String, _ trial: ChainTrial,
    _ body: () async throws -> Void
  ) async throws {
    try await body()
    try await trial.waitUntil { names.allSatisfy { received.value[$0] != nil } }
    try await mark(trial)
    for observer in names {
      let found = (received.value[observer] ?? []).filter { $0 != .add(key: Self.end) }
      try trial.expect(
        found.count == 1 && changes.contains(found[0]),
        "after \(name), the observer \(observer) has received \(found), and not one of \(changes)")
    }
    received.change { $0 = [:] }
  }
}
