import BenchHarness
import Foundation
import Strata

extension ChainCosts {
  func awaitedRows(_ folder: URL) throws -> [Row] {
    let value = value
    let fewer = operations / 50
    let both = Storage(front: Wrapped(), back: try disk("awaited", folder), transformer: .data)
    let alone = overMemory()
    let perTask = operations / Self.tasks / 5
    let actor = Counter()
    try alone.setObject(value, forKey: "a")
    return [
      Row(
        name: "write, AsyncStorage over memory and disk, beside Storage", wanted: 3, operations: fewer,
        chain: each(
          count: fewer,
          awaiting: {
            try await both.async.setObject(value, forKey: $0)
            return 1
          }),
        byHand: each(count: fewer) {
          try both.setObject(value, forKey: $0)
          return 1
        }),
      Row(
        name: "write, AsyncStorage over memory alone, beside Storage", wanted: 1.5,
        chain: each(awaiting: {
          try await alone.async.setObject(value, forKey: $0)
          return 1
        }),
        byHand: each {
          try alone.setObject(value, forKey: $0)
          return 1
        }),
      Row(
        name: "four tasks writing one key of an AsyncStorage over memory, beside an actor", wanted: 1.3,
        operations: perTask * Self.tasks,
        chain: atOnce(perTask) { try await alone.async.setObject(value, forKey: "a") },
        byHand: atOnce(perTask) { try await actor.set(value, forKey: "a") }),
      Row(
        name: "four tasks updating one key of an AsyncStorage over memory, beside an actor", wanted: 1.3,
        operations: perTask * Self.tasks,
        chain: atOnce(perTask) { try await alone.async.update(forKey: "a") { $0[0] &+= 1 } },
        byHand: atOnce(perTask) { try await actor.update(forKey: "a") { $0[0] &+= 1 } }),
    ]
  }

  /// Returns work that reads one key after the other in one task. Without a closure around each read, since awaiting a
  /// closure costs as much as a hit.
  func awaitedHits(_ storage: AsyncStorage<String, Data>) -> Contender.Work {
    { [keys, operations] _, _ in
      try waiting {
        var sum = 0
        for index in 0..<operations {
          sum &+= try await storage.object(forKey: keys[index % keys.count]).count
        }
        return sum
      }
    }
  }

  private static let tasks = 4

  private func atOnce(_ count: Int, _ step: @escaping @Sendable () async throws -> Void) -> Contender.Work {
    { _, _ in
      try waiting {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<Self.tasks {
            group.addTask { for _ in 0..<count { try await step() } }
          }
          try await group.waitForAll()
        }
        return count
      }
    }
  }
}

private actor Counter {
  private let memory = MemoryStorage<String, Data>()
  func set(_ value: Data, forKey key: String) throws { try memory.setObject(value, forKey: key) }
  func update(forKey key: String, _ modify: @Sendable (inout Data) throws -> Void) throws {
    var value = try memory.objectIfPresent(forKey: key) ?? Data(count: 100)
    try modify(&value)
    try memory.setObject(value, forKey: key)
  }
}
