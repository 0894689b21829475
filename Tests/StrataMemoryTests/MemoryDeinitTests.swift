import StrataMemory
import Testing

/// A value that reports its deinitialization.
private final class Mortal: Sendable {
  let cost: Int
  let onDeinit: @Sendable () -> Void

  init(cost: Int = 1, _ onDeinit: @escaping @Sendable () -> Void = {}) {
    self.cost = cost
    self.onDeinit = onDeinit
  }

  deinit { onDeinit() }
}

/// The ways in which the value of key 0 is released, in a store for 4 entries.
private enum End: CaseIterable {
  case replaced, removed, evicted, tooCostly, removeAll, swept, updated

  func come(in memory: MemoryStorage<Int, Mortal>, _ time: ManualClock) throws {
    switch self {
    case .replaced: try memory.setObject(Mortal(), forKey: 0)
    case .removed: try memory.removeObject(forKey: 0)
    case .evicted: try memory.setObject(Mortal(cost: 100), forKey: 1)
    case .tooCostly: try memory.setObject(Mortal(cost: 101), forKey: 0)
    case .removeAll: try memory.removeAll()
    case .swept:
      time.advance(by: 1)
      try memory.removeExpiredObjects()
    case .updated: try memory.update(forKey: 0) { $0 = Mortal() }
    }
  }
}

@Suite("MemoryStorage: releasing values", .timeLimit(.minutes(10)))
struct MemoryDeinitTests {
  /// If a value were released under a lock, this would hang or trap.
  @Test(
    "a value is released at once and outside all locks: its deinit may use the storage",
    arguments: End.allCases)
  private func deinitUsesStorage(_ end: End) throws {
    let time = ManualClock()
    let config = MemoryConfig(countLimit: 4, totalCostLimit: 100, clock: time.clock)
    let memory = MemoryStorage<Int, Mortal>(config: config) { _, value in value.cost }
    let ends = Locked(0)
    let mortal = { @Sendable [unowned memory] in
      Mortal {
        _ = memory.peek(forKey: 0)
        _ = try? memory.keys()
        // Another key, since an update's own key must not be written inside it.
        try? memory.setObject(Mortal(), forKey: 7)
        try? memory.removeObject(forKey: 7)
        try? memory.removeExpiredObjects()
        ends.withLock { $0 += 1 }
      }
    }
    try memory.setObject(mortal(), forKey: 0, expiry: .seconds(1))
    #expect(ends.withLock { $0 } == 0)
    try end.come(in: memory, time)
    #expect(ends.withLock { $0 } == 1)
    #expect(memory.count <= 4)
  }

  @Test("the values are released with the storage")
  func storageEnds() throws {
    let ends = Locked(0)
    for _ in 0..<3 {
      let memory = MemoryStorage<Int, Mortal>()
      for key in 0..<100 { try memory.setObject(Mortal { ends.withLock { $0 += 1 } }, forKey: key) }
    }
    #expect(ends.withLock { $0 } == 300)
  }
}
