import TestSupport
import Testing

@testable import StrataMemory

@Suite("MemoryStorage: the count limit")
struct CountLimitTests {
  typealias Memory = MemoryStorage<Int, Int>

  static let limits: [Int] = [1, 2, 10, 1000, 1023, 1024, 5000]

  static func memory(_ limit: Int) -> Memory { Memory(config: MemoryConfig(countLimit: UInt(limit))) }

  @Test("a limit of N keeps N entries, always including the last written one", arguments: limits, [1, 16])
  func exact(_ limit: Int, _ shards: Int) throws {
    let memory = Memory(
      config: MemoryConfig(countLimit: UInt(limit)), shards: shards, cost: nil, onRemoval: nil)
    for key in 0..<(2 * limit + 10) {
      try memory.setObject(key, forKey: key)
      #expect(memory.count == min(key + 1, limit))
      #expect(memory.peek(forKey: key)?.object == key)
    }
    #expect(try Set(memory.keys()).isSubset(of: 0..<(2 * limit + 10)))
    #expect(try memory.keys().count == limit)
    #expect(memory.budget.inUse.count == limit)
    memory.shards.withAllTables { #expect($0.flaws == []) }
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

  @Test("an overwrite at the limit evicts no entry", arguments: limits)
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

  @Test("repeatedly read entries outlive entries that are written once", arguments: [1000, 5000], [1, 16])
  func readsCount(_ limit: Int, _ shards: Int) throws {
    let memory = Memory(
      config: MemoryConfig(countLimit: UInt(limit)), shards: shards, cost: nil, onRemoval: nil)
    let favourites = 0..<(limit / 2)
    for round in 0..<6 {
      for key in favourites where memory.peek(forKey: key) == nil { try memory.setObject(key, forKey: key) }
      for key in 0..<limit { try memory.setObject(key, forKey: limit * (round + 1) + key) }
    }
    let left = favourites.count { memory.peek(forKey: $0) != nil }
    #expect(left * 10 >= favourites.count * 6)
  }

  @Test("`expiryIfPresent`, `objectExists` and `keys` do not count as uses")
  func looksDoNotCount() throws {
    let memory = Self.memory(2)
    try memory.setObject(0, forKey: 0)
    #expect(try memory.expiryIfPresent(forKey: 0) == .never)
    #expect(try memory.objectExists(forKey: 0))
    #expect(try memory.keys().count == 1)
    #expect(memory.statistics.hits == 0)
    memory.shards.withAllTables { table in
      table.forEachIndex { #expect(!table[$0].pointee.state.isUsed) }
    }
    _ = memory.peek(forKey: 0)
    memory.shards.withAllTables { table in
      table.forEachIndex { #expect(table[$0].pointee.state.isUsed) }
    }
  }
}
