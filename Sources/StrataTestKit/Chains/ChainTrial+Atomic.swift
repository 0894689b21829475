import StrataCore

/// An atomic change that adds 1.
enum AtomicChange: String, CaseIterable, Codable {
  case update, increment, compareAndSet

  /// Adds 1 a number of times. Throws `NotInChain` if the chain has no such change. Returns how many calls threw.
  @discardableResult
  func make(_ key: String, _ times: Int, in chain: TestedChain, toleratesFailures: Bool = false) async throws
    -> Int
  {
    var failures = 0
    for _ in 0..<times {
      do { try await make(key, in: chain) } catch TierState.Failed() where toleratesFailures { failures += 1 }
    }
    return failures
  }

  private func make(_ key: String, in chain: TestedChain) async throws {
    switch self {
    case .update:
      guard let store = chain.records as? any UpdateableStorage<String, ChainRecord> else {
        throw NotInChain(reason: "it has no update")
      }
      _ = try await store.update(forKey: key) { $0.number += 1 }
    case .increment:
      guard
        let store = chain.count as? any (UpdateableStorage<String, Int> & ConditionalStorage<String, Int>)
      else { throw NotInChain(reason: "it has no increment") }
      try await increment(key, in: store)
    case .compareAndSet:
      guard let store = chain.records as? any UpdateableStorage<String, ChainRecord> else {
        throw NotInChain(reason: "it has no compareAndSet")
      }
      while true {
        let seen = try await chain.records.object(forKey: key)
        let next = ChainRecord(number: seen.number + 1, text: seen.text)
        if try await store.compareAndSet(next, ifEqual: seen, forKey: key) { return }
        // The copy in a front that is not coherent with the back stays the same.
        if chain.hasFront { try await chain.records.removeInMemoryObject(forKey: key) }
      }
    }
  }

  private func increment<Store: UpdateableStorage<String, Int> & ConditionalStorage<String, Int>>(
    _ key: String, in store: Store
  ) async throws { try await store.increment(forKey: key, by: 1) }

  /// Stores 0.
  func begin(_ key: String, in chain: TestedChain) async throws {
    if self == .increment {
      try await chain.count?.setObject(0, forKey: key, expiry: nil)
    } else {
      try await chain.records.setObject(ChainRecord(text: rawValue), forKey: key, expiry: nil)
    }
  }

  /// Returns the sum, past the copies of the first tier.
  func sum(_ key: String, in chain: TestedChain) async throws -> Int? {
    if chain.hasFront { try await chain.records.removeInMemoryObject(forKey: key) }
    return self == .increment
      ? try await chain.count?.objectIfPresent(forKey: key)
      : try await chain.records.objectIfPresent(forKey: key)?.number
  }
}

extension TestedChain {
  /// The chain with integers as values, for `increment`.
  fileprivate var count: (any StorageAware<String, Int>)? { counters ?? numbers }
}

extension ChainTrial {
  func atomicChanges() async throws {
    let switches = Switches()
    let chain = try await open(switches)
    let changes = try available(in: chain, over: switches)
    switch check.circumstance {
    case .oneProcess:
      for change in changes { try await count(by: change, in: chain) }
      try await storeOnce(in: chain)
    case .twoProcesses:
      try await withChild { child in
        for change in changes { try await count(by: change, in: chain, beside: child) }
        try await storeOnce(in: chain, beside: child)
      }
    case .restart: try await countOn(by: changes)
    case .failingTier: for change in changes { try await countWhileFailing(by: change) }
    }
  }

  /// Returns the atomic changes of the chain. Throws unless it has those of its back.
  private func available(in chain: TestedChain, over switches: Switches) throws -> [AtomicChange] {
    let isUpdateable = chain.records is any UpdateableStorage<String, ChainRecord>
    let isConditional = chain.records is any ConditionalStorage<String, ChainRecord>
    if let back = switches.back.value {
      try expect(
        isUpdateable || !(back is any UpdateableStorage), "the chain has no update, although its back has")
      try expect(
        isConditional || !(back is any ConditionalStorage),
        "the chain has no setIfAbsent, although its back has")
    }
    if !isUpdateable { throw NotInChain(reason: "it has no update") }
    let canIncrement = chain.count is any (UpdateableStorage<String, Int> & ConditionalStorage<String, Int>)
    return AtomicChange.allCases.filter { $0 != .increment || canIncrement }
  }

  /// Several tasks add to one number.
  private func count(by change: AtomicChange, in chain: TestedChain) async throws {
    let key = "\(change)"
    try await change.begin(key, in: chain)
    let (tasks, times) = (4, Effort.current.rounds(40))
    let line = StartLine(of: tasks)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          try await line.meet()
          try await change.make(key, times, in: chain)
        }
      }
      try await group.waitForAll()
    }
    try expectSum(tasks * times, try await change.sum(key, in: chain), "\(change) by \(tasks) tasks")
  }

  /// Two processes add to one number.
  private func count(by change: AtomicChange, in chain: TestedChain, beside child: ChainChild) async throws {
    let (key, times) = ("\(change)", Effort.current.rounds(200))
    try await change.begin(key, in: chain)
    async let others: Void = child.perform(.change(change, key, times: times))
    try await change.make(key, times, in: chain)
    try await others
    // A new chain has no copies.
    try expectSum(2 * times, try await change.sum(key, in: open()), "\(change) by two processes")
  }

  private func expectSum(_ expected: Int, _ sum: Int?, _ circumstances: String) throws {
    try expect(
      sum == expected,
      "of \(expected) times \(circumstances), \(sum.map(String.init) ?? "nothing") is stored")
  }

  /// Adds before and after a restart.
  private func countOn(by changes: [AtomicChange]) async throws {
    let times = 5
    for change in changes { try await change.begin("\(change)", in: open()) }
    for round in 1...2 {
      let chain = try await open()
      for change in changes {
        try await change.make("\(change)", times, in: chain)
        try expectSum(
          round * times, try await change.sum("\(change)", in: chain), "\(change), with a restart")
      }
    }
    let stored = try await setIfAbsent(ChainRecord(text: "again"), forKeys: ["update"], in: open())
    try expect(stored.isEmpty, "after a restart, setIfAbsent returns true for a key with a value")
  }

  private func countWhileFailing(by change: AtomicChange) async throws {
    try await withFailures { chain, tier in
      let (key, times) = ("\(change)", 3)
      try await change.begin(key, in: chain)
      let failed = try await tier.during {
        try await change.make(key, times, in: chain, toleratesFailures: true)
      }
      try await change.make(key, 1, in: chain)
      let beside = try await openBeside(tier.switches)
      let sum = try await change.sum(key, in: beside) ?? -1
      try expect(
        (times - failed + 1...times + 1).contains(sum),
        "of \(times) times \(change) while \(tier), \(failed) threw, then 1 did not, and \(sum) is stored")
      try expectSum(sum, try await change.sum(key, in: chain), "\(change) while \(tier)")
    }
  }

  /// Stores a value under those of some keys that are absent, and returns them.
  func setIfAbsent(_ record: ChainRecord, forKeys keys: [String], in chain: TestedChain) async throws
    -> [String]
  {
    guard let store = chain.records as? any ConditionalStorage<String, ChainRecord> else { return [] }
    var stored: [String] = []
    for key in keys where try await store.setIfAbsent(record, forKey: key, expiry: nil) { stored.append(key) }
    return stored
  }

  /// Tasks, and another process, store under the same keys: for each key, one may succeed.
  private func storeOnce(in chain: TestedChain, beside child: ChainChild? = nil) async throws {
    guard chain.records is any ConditionalStorage<String, ChainRecord> else { return }
    let keys = (0..<Effort.current.rounds(40)).map { "once \($0)" }
    let winners = try await withThrowingTaskGroup(of: (String, [String]).self) { group in
      for name in ["one", "two"] {
        group.addTask {
          (name, try await setIfAbsent(ChainRecord(text: name), forKeys: keys, in: chain))
        }
      }
      if let child {
        group.addTask { ("other", try await child.keys(.setIfAbsent(keys, ChainRecord(text: "other")))) }
      }
      return try await group.reduce(into: [String: [String]]()) { winners, result in
        for key in result.1 { winners[key, default: []].append(result.0) }
      }
    }
    let fresh = child == nil ? chain : try await open()
    for key in keys {
      let won = winners[key, default: []]
      try expect(won.count == 1, "\(won.count) calls of setIfAbsent for the key \(shown(key)) return true")
      try await expect(ChainRecord(text: won[0]), at: key, in: fresh, "after setIfAbsent by several")
    }
  }
}
