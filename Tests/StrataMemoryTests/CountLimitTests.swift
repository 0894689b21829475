import StrataMemory
import TestSupport
import Testing

@Suite("MemoryStorage: the count limit")
struct CountLimitTests {
  typealias Memory = MemoryStorage<Int, Int>

  static let limits: [Int] = [1, 2, 10, 1000, 1023, 1024, 5000]

  static func memory(_ limit: Int) -> Memory { Memory(config: MemoryConfig(countLimit: UInt(limit))) }

  @Test("a limit of N keeps exactly the N that were written last", arguments: limits)
  func exact(_ limit: Int) throws {
    let memory = Self.memory(limit)
    for key in 0..<(2 * limit + 10) {
      try memory.setObject(key, forKey: key)
      #expect(memory.count == min(key + 1, limit))
    }
    #expect(try memory.keys().sorted() == Array((limit + 10)..<(2 * limit + 10)))
  }

  @Test("0 is no limit")
  func unlimited() throws {
    let memory = Self.memory(0)
    for key in 0..<5000 { try memory.setObject(key, forKey: key) }
    #expect(memory.count == 5000)
  }

  @Test("a limit beyond what an `Int` holds is no limit, and no crash")
  func hugeLimit() throws {
    let memory = Memory(config: MemoryConfig(countLimit: .max, totalCostLimit: .max))
    for key in 0..<100 { try memory.setObject(key, forKey: key) }
    #expect(memory.count == 100)
  }

  @Test("to overwrite at the limit evicts nobody", arguments: limits)
  func overwriting(_ limit: Int) throws {
    let memory = Self.memory(limit)
    for round in 0..<3 {
      for key in 0..<limit { try memory.setObject(round, forKey: key) }
      #expect(try memory.keys().sorted() == Array(0..<limit))
    }
    #expect(try memory.allObjects() == Array(repeating: 2, count: limit))
  }

  @Test("a removal makes room for one more", arguments: limits)
  func removal(_ limit: Int) throws {
    let memory = Self.memory(limit)
    for key in 0..<limit { try memory.setObject(key, forKey: key) }
    try memory.removeObject(forKey: limit / 2)
    try memory.setObject(0, forKey: -1)
    #expect(try Set(memory.keys()) == Set(-1..<limit).subtracting([limit / 2]))
  }

  @Test("`removeAll` makes room for as many as before", arguments: limits)
  func removeAll(_ limit: Int) throws {
    let memory = Self.memory(limit)
    for _ in 0..<3 {
      for key in 0..<limit { try memory.setObject(key, forKey: key) }
      #expect(memory.count == limit)
      try memory.removeAll()
      #expect(memory.count == 0)
    }
  }

  @Test("what was read since the last write outlives what was not", arguments: [2, 10, 1000, 1024, 5000])
  func readsCount(_ limit: Int) throws {
    let memory = Self.memory(limit)
    for key in 0..<limit { try memory.setObject(key, forKey: key) }
    let read = Set((0..<limit).filter { $0 % 2 == 0 })
    for key in read { #expect(memory.peek(forKey: key) != nil) }
    for key in limit..<(limit + limit / 2) { try memory.setObject(key, forKey: key) }
    #expect(try Set(memory.keys()) == read.union(limit..<(limit + limit / 2)))
  }

  @Test("`expiryIfPresent`, `objectExists` and `keys` are no use")
  func looksDoNotCount() throws {
    let memory = Self.memory(2)
    try memory.setObject(0, forKey: 0)
    try memory.setObject(1, forKey: 1)
    #expect(try memory.expiryIfPresent(forKey: 0) == .never)
    #expect(try memory.objectExists(forKey: 0))
    #expect(try memory.keys().count == 2)
    try memory.setObject(2, forKey: 2)
    #expect(try memory.keys().sorted() == [1, 2])
  }

  /// Below 1024 there is one shard, and the order is that of an array. Of several reads between two writes only the first
  /// one of a key moves it.
  @Test(
    "below 1024 the least recently used goes first, exactly", arguments: [1, 2, 3, 10, 100, 1023],
    [1, 2] as [UInt64])
  func leastRecentlyUsed(_ limit: Int, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let memory = Self.memory(limit)
    var order: [Int] = []
    var readSinceWrite: Set<Int> = []
    for step in 0..<2500 {
      let key = Int.random(in: 0..<(limit + limit / 2 + 2), using: &random)
      let isThere = order.contains(key)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        try memory.setObject(step, forKey: key)
        order.removeAll { $0 == key }
        if order.count == limit { order.removeFirst() }
        order.append(key)
        readSinceWrite = []
      case 5..<9:
        #expect((memory.peek(forKey: key) != nil) == isThere)
        if isThere, readSinceWrite.insert(key).inserted {
          order.removeAll { $0 == key }
          order.append(key)
        }
      default:
        try memory.removeObject(forKey: key)
        order.removeAll { $0 == key }
      }
      #expect(try Set(memory.keys()) == Set(order))
    }
  }
}
