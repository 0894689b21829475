import Foundation
import Testing

@testable import StrataMemory

@Suite("MemoryStorage: the cost limit")
struct CostLimitTests {
  /// Creates a store whose values are their own costs.
  static func memory(_ limit: UInt) -> MemoryStorage<String, Int> {
    MemoryStorage(config: MemoryConfig(totalCostLimit: limit)) { _, value in value }
  }

  @Test("only as many entries are evicted as the new entry needs")
  func makesRoom() throws {
    let memory = Self.memory(10)
    for (key, cost) in [("a", 3), ("b", 3), ("c", 3)] { try memory.setObject(cost, forKey: key) }
    try memory.setObject(1, forKey: "d")
    #expect(Set(try memory.keys()) == ["a", "b", "c", "d"])
    try memory.setObject(4, forKey: "e")
    // 10 are in use and 4 are needed: evicts two entries of cost 3, or one of them and the entry of cost 1.
    #expect(memory.count == 3)
    #expect(try memory.object(forKey: "e") == 4)
    #expect(memory.budget.inUse.cost <= 10)
    try memory.setObject(10, forKey: "f")
    #expect(try memory.keys() == ["f"])
    #expect(memory.budget.inUse.cost == 10)
  }

  @Test("the cost function is given the key and the value")
  func costFunction() throws {
    let memory = MemoryStorage<String, Int>(config: MemoryConfig(totalCostLimit: 10)) { key, value in
      key.count * value
    }
    try memory.setObject(2, forKey: "aaa")
    #expect(memory.budget.inUse.cost == 6)
    try memory.setObject(5, forKey: "b")
    #expect(try memory.keys() == ["b"])
  }

  @Test("an overwrite counts the new cost in place of the old", arguments: [0, 1, 5, 9, 10])
  func overwriting(_ cost: Int) throws {
    let memory = Self.memory(10)
    try memory.setObject(5, forKey: "a")
    try memory.setObject(cost, forKey: "a")
    #expect(memory.budget.inUse.cost == cost)
    #expect(memory.count == 1)
    try memory.removeObject(forKey: "a")
    #expect(memory.budget.inUse.cost == 0)
  }

  @Test("a larger overwrite evicts other entries, never itself")
  func growth() throws {
    let memory = Self.memory(10)
    for key in ["a", "b", "c"] { try memory.setObject(3, forKey: key) }
    try memory.setObject(5, forKey: "a")
    #expect(memory.count == 2)
    #expect(try memory.object(forKey: "a") == 5)
    try memory.setObject(10, forKey: "a")
    #expect(try memory.keys() == ["a"])
    #expect(memory.budget.inUse.cost == 10)
  }

  @Test("an entry that costs more than the limit is not kept, evicts no others, and removes the old value")
  func tooCostly() throws {
    let memory = Self.memory(10)
    for key in ["a", "b"] { try memory.setObject(3, forKey: key) }
    try memory.setObject(11, forKey: "c")
    #expect(Set(try memory.keys()) == ["a", "b"])
    try memory.setObject(11, forKey: "a")
    #expect(try memory.keys() == ["b"])
    #expect(memory.budget.inUse.cost == 3)
    #expect(memory.count == 1)
  }

  @Test("an update that makes an entry too costly removes it")
  func tooCostlyUpdate() throws {
    let memory = Self.memory(10)
    try memory.setObject(3, forKey: "a")
    #expect(try memory.update(forKey: "a") { $0 = 11 } == 11)
    #expect(try memory.entryIfPresent(forKey: "a") == nil)
    #expect(memory.budget.inUse.cost == 0)
  }

  @Test("a negative cost counts as zero", arguments: [-1, .min])
  func negative(_ cost: Int) throws {
    let memory = Self.memory(10)
    for number in 0..<100 { try memory.setObject(cost, forKey: "\(number)") }
    try memory.setObject(10, forKey: "a")
    #expect(memory.count == 101)
    try memory.setObject(cost, forKey: "a")
    #expect(memory.budget.inUse.cost == 0)
  }

  @Test(
    "costs that add up beyond an `Int` break nothing, and without a limit they evict nobody",
    arguments: [(0, 0, 3), (2, 0, 2), (0, 10, 0), (0, .max, 3), (0, UInt(Int.max) - 1, 0)]
      as [(UInt, UInt, Int)])
  func huge(_ countLimit: UInt, _ costLimit: UInt, _ kept: Int) throws {
    let config = MemoryConfig(countLimit: countLimit, totalCostLimit: costLimit)
    let memory = MemoryStorage<String, Int>(config: config) { _, value in value }
    for _ in 0..<3 {
      for key in ["a", "b", "c"] { try memory.setObject(.max, forKey: key) }
      #expect(memory.count == kept)
      try memory.removeAll()
      #expect(memory.count == 0)
    }
  }

  @Test("both limits hold together", arguments: [(3, 100, 3), (100, 3, 3), (2, 3, 2)] as [(UInt, UInt, Int)])
  func both(_ countLimit: UInt, _ costLimit: UInt, _ kept: Int) throws {
    let config = MemoryConfig(countLimit: countLimit, totalCostLimit: costLimit)
    let memory = MemoryStorage<Int, Int>(config: config) { _, _ in 1 }
    for key in 0..<200 { try memory.setObject(0, forKey: key) }
    #expect(memory.count == kept)
    #expect(memory.peek(forKey: 199) != nil)
  }

  @Test("`Data` costs its bytes, a wrapper its encoded bytes, any other value 1")
  func defaults() throws {
    func cost<Value: Sendable>(_ value: Value) throws -> Int {
      let memory = MemoryStorage<Int, Value>(config: MemoryConfig(totalCostLimit: 1000))
      try memory.setObject(value, forKey: 0)
      return memory.budget.inUse.cost
    }
    #expect(try cost(Data(repeating: 0, count: 7)) == 7)
    #expect(try cost(Data()) == 0)
    #expect(try cost("a long text") == 1)
    #expect(try cost(12345) == 1)
    #expect(try cost(TypeWrapper(data: Data(repeating: 0, count: 9))) == 9)
    let live = TypeWrapper.holding("text", transformer: .codable(String.self))
    #expect(try cost(live) == 1)
    _ = try live.data()
    #expect(try cost(live) == 6)
  }

  @Test("an entry keeps its cost from the write, even if its wrapper is encoded later")
  func laterCost() throws {
    let memory = MemoryStorage<Int, TypeWrapper>(config: MemoryConfig(totalCostLimit: 1000))
    let live = TypeWrapper.holding("text", transformer: .codable(String.self))
    try memory.setObject(live, forKey: 0)
    _ = try live.data()
    try memory.removeObject(forKey: 0)
    #expect(memory.budget.inUse.cost == 0)
  }
}
