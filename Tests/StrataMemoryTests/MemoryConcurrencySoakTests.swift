import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StrataMemory

@Suite("MemoryStorage: many threads", .timeLimit(.minutes(10)))
struct MemoryConcurrencySoakTests {
  typealias Memory = MemoryStorage<Int, Int>

  /// Runs `writer` on four threads, and `sampler` repeatedly meanwhile; returns how often `sampler` ran.
  private func run(writer: @escaping @Sendable (Int) -> Void, sampler: () throws -> Void) rethrows -> Int {
    let running = Locked(4)
    for number in 0..<4 {
      Thread.detachNewThread {
        writer(number)
        running.withLock { $0 -= 1 }
      }
    }
    var samples = 0
    repeat {
      try sampler()
      samples += 1
    } while running.withLock { $0 } > 0
    return samples
  }

  /// Writes, overwrites, grows, removes and sometimes empties the store.
  private static func change(_ memory: Memory, seed: UInt64, steps: Int) {
    var random = SeededGenerator(seed: seed)
    for step in 0..<steps {
      let key = Int.random(in: 0..<6000, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<75: try? memory.setObject(.random(in: -1...20, using: &random), forKey: key)
      case 75..<85: _ = memory.peek(forKey: key)
      case 85..<90: _ = try? memory.update(forKey: key) { $0 += 1 }
      case 90..<99: try? memory.removeObject(forKey: key)
      default: if step % 10 == 0 { try? memory.removeAll() } else { try? memory.removeExpiredObjects() }
      }
    }
  }

  @Test(
    "no limit is exceeded at any moment, and what is counted is what is there",
    arguments: [(1, 0), (10, 0), (1024, 0), (5000, 0), (0, 100), (0, 5000), (10, 100), (2000, 9000)]
      as [(UInt, UInt)], [1, 16])
  func limits(_ limits: (UInt, UInt), _ shards: Int) throws {
    let (countLimit, costLimit) = limits
    let config = MemoryConfig(countLimit: countLimit, totalCostLimit: costLimit)
    let memory = Memory(config: config, shards: shards, cost: { _, value in value }, onRemoval: nil)
    let limit = (
      count: countLimit == 0 ? .max : Int(countLimit), cost: costLimit == 0 ? .max : Int(costLimit)
    )
    var worst = (count: 0, cost: 0, reserved: 0)
    let samples = run {
      Self.change(memory, seed: UInt64($0), steps: Soak.rounds(1000, soak: 25_000))
    } sampler: {
      let inUse = memory.budget.inUse
      worst = (max(worst.count, memory.count), max(worst.cost, inUse.cost), max(worst.reserved, inUse.count))
    }
    #expect(samples > 0)
    #expect(worst.count <= limit.count)
    #expect(worst.reserved <= limit.count)
    #expect(worst.cost <= limit.cost)

    #expect(memory.budget.inUse.count == (countLimit == 0 ? 0 : memory.count))
    let cost = try memory.allObjects().reduce(0) { $0 + max($1, 0) }
    #expect(memory.budget.inUse.cost == (costLimit == 0 ? 0 : cost))
    memory.shards.withAllTables { #expect($0.flaws == []) }
    try memory.removeAll()
    #expect(memory.budget.inUse.count == 0)
    #expect(memory.budget.inUse.cost == 0)
  }

  /// One thread writes 0, 1, 2 … in order, so at any moment the keys are a contiguous range, whatever was removed. A
  /// gap would show that `removeAll` or `keys` is not atomic.
  @Test("`keys` and `removeAll` are atomic")
  func oneMoment() throws {
    let memory = Memory()
    let gaps = Locked(0)
    let samples = try run { number in
      for step in 0..<(number == 0 ? 40_000 : 400) {
        switch number {
        case 0: try? memory.setObject(step, forKey: step)
        case 1: try? memory.removeAll()
        default: if let keys = try? memory.keys(), !Self.isRange(keys) { gaps.withLock { $0 += 1 } }
        }
      }
    } sampler: {
      if !Self.isRange(try memory.keys()) { gaps.withLock { $0 += 1 } }
    }
    #expect(samples > 0)
    #expect(gaps.withLock { $0 } == 0)
  }

  private static func isRange(_ keys: [Int]) -> Bool {
    guard let first = keys.min(), let last = keys.max() else { return true }
    return last - first + 1 == keys.count
  }

  @Test("a reader sees whole values, and the values of one writer in their order")
  func monotonic() throws {
    let memory = MemoryStorage<String, [Int]>(config: MemoryConfig(countLimit: 10))
    var last = -1
    var isWhole = true
    var isInOrder = true
    let samples = run { number in
      for step in 0..<5000 {
        if number == 0 {
          try? memory.setObject([step, step, step], forKey: "a")
        } else {
          try? memory.setObject([], forKey: "\(number)")
        }
      }
    } sampler: {
      guard let value = memory.peek(forKey: "a")?.object else { return }
      isWhole = isWhole && value == Array(repeating: value[0], count: 3)
      isInOrder = isInOrder && value[0] >= last
      last = value[0]
    }
    #expect(samples > 0)
    #expect(isWhole)
    #expect(isInOrder)
    #expect(try memory.object(forKey: "a") == [4999, 4999, 4999])
  }
}
