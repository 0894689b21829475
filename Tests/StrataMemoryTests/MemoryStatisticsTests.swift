import Testing

@testable import StrataMemory

@Suite("MemoryStorage: statistics and the listener")
struct MemoryStatisticsTests {
  typealias Memory = MemoryStorage<String, Int>

  let time = ManualClock()

  @Test("hits and misses: an expired value is a miss; writes and peeks are neither")
  func hits() throws {
    let memory = Memory(config: MemoryConfig(clock: time.clock))
    try memory.setObject(1, forKey: "a", expiry: .seconds(5))
    for _ in 0..<3 { _ = try memory.object(forKey: "a") }
    _ = try memory.objectIfPresent(forKey: "b")
    _ = try memory.objectExists(forKey: "a")
    #expect(memory.statistics.hits == 3)
    #expect(memory.statistics.misses == 1)
    #expect(memory.statistics.hitRatio == 0.75)
    time.advance(by: 5)
    _ = memory.peek(forKey: "a")
    _ = try memory.objectIfPresent(forKey: "a")
    #expect(memory.statistics.hits == 3)
    #expect(memory.statistics.misses == 2, "a peek that finds nothing is none: the read that follows is")
  }

  @Test("a value that is read in its place is a hit if it is used, and nothing otherwise")
  func inPlace() throws {
    let memory = Memory(config: MemoryConfig(clock: time.clock))
    try memory.setObject(1, forKey: "a", expiry: .seconds(5))
    #expect(memory._withCachedObject(forKey: "a") { $1 == .never ? nil : $0.pointee } == 1)
    #expect(memory._withCachedObject(forKey: "a") { _, _ in Int?.none } == nil)
    #expect(memory._withCachedObject(forKey: "b") { value, _ in value.pointee } == nil)
    #expect(memory.statistics.hits == 1)
    #expect(memory.statistics.misses == 0)
  }

  /// Removes the entry "a" of value 1, for a given reason.
  private static func leave(_ memory: Memory, _ time: ManualClock, _ reason: MemoryRemovalReason) throws {
    switch reason {
    case .expired:
      time.advance(by: 10)
      try memory.removeExpiredObjects()
    case .countLimit: try memory.setObject(2, forKey: "b")
    case .costLimit: try memory.setObject(11, forKey: "a")
    case .replaced: try memory.setObject(2, forKey: "a")
    case .removed: try memory.removeObject(forKey: "a")
    case .memoryPressure: memory.evict(1)
    }
  }

  @Test(
    "a write over an entry is told and counted, with its expiry or without one",
    arguments: [nil, Expiry.never, .seconds(5)], [MemoryConfig(), MemoryConfig(idleTime: 60)])
  func overwritten(_ expiry: Expiry?, _ config: MemoryConfig) throws {
    let seen = Locked<[String]>([])
    let tell: @Sendable (Memory.Removal) -> Void = { removal in
      seen.withLock { $0.append("\(removal.key) \(removal.value) \(removal.reason)") }
    }
    let memory = Memory(config: config, onRemoval: tell)
    try memory.setObject(1, forKey: "a", expiry: expiry)
    try memory.setObject(2, forKey: "a", expiry: expiry)
    try memory.setObject(3, forKey: "a")
    #expect(seen.withLock { $0 } == ["a 1 replaced", "a 2 replaced"])
    #expect(memory.statistics.removals[.replaced] == 2)
    #expect(memory.count == 1)
    #expect(try memory.object(forKey: "a") == 3)
  }

  @Test("a write without an expiry removes the previous expiry")
  func overwrittenForGood() throws {
    let memory = Memory(config: MemoryConfig(clock: time.clock))
    try memory.setObject(1, forKey: "a")
    try memory.setObject(2, forKey: "a", expiry: .seconds(5))
    try memory.setObject(3, forKey: "a")
    time.advance(by: 6)
    #expect(try memory.object(forKey: "a") == 3)
    #expect(try memory.expiryIfPresent(forKey: "a") == .never)
  }

  @Test(
    "the listener is told of each entry that leaves, why, and outside all locks",
    arguments: MemoryRemovalReason.allCases)
  func listener(_ reason: MemoryRemovalReason) throws {
    let seen = Locked<[String]>([])
    let memory = Locked<Memory?>(nil)
    let config = MemoryConfig(expiry: .seconds(10), countLimit: 1, totalCostLimit: 10, clock: time.clock)
    let made = Memory(config: config, cost: { _, value in value }) { removal in
      // The closure may use the store.
      _ = memory.withLock { $0 }?.count
      seen.withLock { $0.append("\(removal.key) \(removal.value) \(removal.reason)") }
    }
    memory.withLock { $0 = made }
    defer { memory.withLock { $0 = nil } }
    try made.setObject(1, forKey: "a")
    #expect(seen.withLock { $0 } == [])
    try Self.leave(made, time, reason)
    // A value that alone exceeds the cost limit is reported, as is the value that it was to replace.
    let expected = reason == .costLimit ? ["a 1 replaced", "a 11 costLimit"] : ["a 1 \(reason)"]
    #expect(seen.withLock { $0 } == expected)
    #expect(made.statistics.removals[reason] == 1)
    #expect(made.statistics.removals.values.reduce(0, +) == expected.count)
  }

  @Test("`removeAll` reports all entries, and keeps the statistics")
  func removeAll() throws {
    let seen = Locked<Set<Int>>([])
    let memory = MemoryStorage<Int, Int>(onRemoval: { removal in
      if removal.reason == .removed { seen.withLock { _ = $0.insert(removal.key) } }
    })
    for key in 0..<500 { try memory.setObject(key, forKey: key) }
    _ = memory.peek(forKey: 1)
    try memory.removeAll()
    #expect(seen.withLock { $0 } == Set(0..<500))
    #expect(memory.statistics.removals[.removed] == 500)
    #expect(memory.statistics.hits == 1)
    #expect(memory.statistics.count == 0)
  }

  @Test("`evict` removes the given fraction, and keeps the most used entries", arguments: [0, 0.25, 0.5, 1])
  func evict(_ part: Double) throws {
    let memory = MemoryStorage<Int, Int>(config: MemoryConfig(countLimit: 1000))
    for key in 0..<1000 { try memory.setObject(key, forKey: key) }
    for _ in 0..<3 { for key in 0..<250 { _ = memory.peek(forKey: key) } }
    memory.evict(part)
    #expect(memory.count == 1000 - Int(1000 * part))
    #expect(memory.statistics.removals[.memoryPressure] == Int(1000 * part))
    if part <= 0.5 { #expect((0..<250).count { memory.peek(forKey: $0) != nil } > 200) }
  }

  @Test("its description has all counters")
  func description() throws {
    let memory = Memory(config: MemoryConfig(countLimit: 2))
    for key in ["a", "b", "c"] { try memory.setObject(1, forKey: key) }
    _ = memory.peek(forKey: "c")
    _ = try memory.objectIfPresent(forKey: "x")
    _ = try memory.object(forKey: "d") { 4 }
    let text = memory.statistics.description
    #expect(text.contains("hits       1 of 3 (33.3 %)"))
    #expect(text.contains("entries    2"))
    #expect(text.contains("countLimit 2"))
    #expect(text.contains("loads      1, 0 failed"))
    #expect(!text.contains("expired"))
  }
}
