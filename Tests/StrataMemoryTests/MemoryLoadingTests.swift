import Dispatch
import StrataCore
import TestSupport
import Testing

@testable import StrataMemory

@Suite("MemoryStorage: loading missing values", .timeLimit(.minutes(10)))
struct MemoryLoadingTests {
  typealias Memory = MemoryStorage<String, Int>

  struct Broken: Error {}

  let time = ManualClock()
  var memory: Memory { Memory(config: MemoryConfig(clock: time.clock)) }

  @Test("a missing value is loaded once, with its expiry; a present one is not loaded")
  func basics() throws {
    let memory = memory
    #expect(try memory.object(forKey: "a", expiry: .seconds(5)) { 1 } == 1)
    #expect(try memory.object(forKey: "a") { throw Broken() } == 1)
    time.advance(by: 5)
    #expect(try memory.object(forKey: "a") { 2 } == 2)
    #expect(memory.peek(forKey: "a")?.object == 2, "the expired entry that it replaces is no change")
    #expect(memory.statistics.loads == 2)
    #expect(memory.statistics.failedLoads == 0)
    #expect(memory.statistics.loadTime > .zero)
  }

  @Test("a load that throws stores nothing, and the next one tries again")
  func failure() throws {
    let memory = memory
    #expect(throws: Broken.self) { try memory.object(forKey: "a") { throw Broken() } }
    #expect(memory.count == 0)
    #expect(try memory.object(forKey: "a") { 1 } == 1)
    #expect(memory.statistics.failedLoads == 1)
  }

  @Test("concurrent misses of threads share one load")
  func threads() {
    let memory = memory
    let loads = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 200) { _ in
      let object = try? memory.object(forKey: "a") {
        loads.withLock {
          $0 += 1
          return $0
        }
      }
      #expect(object == 1)
    }
    #expect(loads.withLock { $0 } == 1)
    #expect(memory.statistics.loads == 1)
  }

  @Test("concurrent misses of tasks share one load")
  func tasks() async throws {
    let memory = memory
    let loads = Shared(0)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await memory.object(forKey: "a") {
            await Task.yield()
            return loads.change { number in
              number += 1
              return number
            }
          }
        }
      }
      for try await object in group { #expect(object == 1) }
    }
    #expect(memory.statistics.loads == 1)
  }

  @Test("a loaded value does not overwrite a concurrent write or removal")
  func meanwhile() throws {
    let memory = memory
    #expect(
      try memory.object(forKey: "a") {
        try memory.setObject(5, forKey: "a"); return 1
      } == 1)
    #expect(memory.peek(forKey: "a")?.object == 5)
    let other = try memory.object(forKey: "b") {
      try memory.setObject(5, forKey: "b")
      try memory.removeObject(forKey: "b")
      return 1
    }
    #expect(other == 1)
    #expect(memory.peek(forKey: "b") == nil)
    #expect(
      try memory.object(forKey: "c") {
        try memory.removeObject(forKey: "c"); return 1
      } == 1)
    #expect(memory.peek(forKey: "c") == nil)
  }

  @Test("the error of a load reaches all waiting callers, and none loads again")
  func sharedFailure() async throws {
    let memory = memory
    let gate = Gate(holding: 1)
    let tasks = (0..<20).map { _ in
      Task {
        try await memory.object(forKey: "a") { () async throws -> Int in
          await gate.pass()
          throw Broken()
        }
      }
    }
    await gate.arrivals(1)
    await until { memory.flights.waiting == 19 }
    gate.open()
    for task in tasks { await #expect(throws: Broken.self) { try await task.value } }
    #expect(memory.statistics.failedLoads == 1)
  }

  @Test("threads wait for a task's load, and do not throw if the first caller is cancelled")
  func mixed() async throws {
    let memory = memory
    let gate = Gate(holding: 1)
    let first = Task {
      try await memory.object(forKey: "a") { () async throws -> Int in
        await gate.pass()
        try Task.checkCancellation()
        return 1
      }
    }
    await gate.arrivals(1)
    let others = (0..<4).map { _ in Task { try await onThread { try memory.object(forKey: "a") { 2 } } } }
    await until { memory.flights.waiting == 4 }
    first.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await first.value }
    for other in others { #expect(try await other.value == 2) }
    #expect(memory.statistics.loads == 1)
  }

  enum Change: CaseIterable {
    case write, removal, removalOfAll, eviction, update
  }

  @Test("after a change during a load, later callers start a new load", arguments: Change.allCases)
  func closed(_ change: Change) async throws {
    let memory = Memory(config: MemoryConfig(countLimit: 1))
    let gate = Gate(holding: 1)
    let first = Task {
      try await memory.object(forKey: "a") { () async throws -> Int in
        await gate.pass()
        return 1
      }
    }
    await gate.arrivals(1)
    try withoutWaiting(memory) { memory in
      try memory.setObject(5, forKey: "a")
      switch change {
      case .write: break
      case .update: try memory.update(forKey: "a") { $0 = 6 }
      case .removal: try memory.removeObject(forKey: "a")
      case .removalOfAll: try memory.removeAll()
      case .eviction: memory.evict(1)
      }
    }
    let expected = [.write: 5, .update: 6][change] ?? 2
    #expect(try await memory.object(forKey: "a") { () async throws -> Int in 2 } == expected)
    gate.open()
    #expect(try await first.value == 1)
    #expect(memory.peek(forKey: "a")?.object == expected)
  }

  private func withoutWaiting(_ memory: Memory, _ body: (Memory) throws -> Void) rethrows { try body(memory) }

  @Test("an update that ends beside a load leaves the load's watch alone")
  func besideAnUpdate() throws {
    let memory = memory
    #expect(
      try memory.object(forKey: "a") {
        #expect(throws: StorageError.notFound) { try memory.update(forKey: "a") { $0 = 3 } }
        return 1
      } == 1)
    #expect(memory.peek(forKey: "a")?.object == 1)
  }

  @Test("a load inside an update of the key throws")
  func insideAnUpdate() throws {
    let memory = memory
    try memory.setObject(0, forKey: "a", expiry: .seconds(5))
    #expect(throws: StorageError.deadlock) {
      try memory.update(forKey: "a") { value in
        time.advance(by: 5)
        value = try memory.object(forKey: "a") { 7 }
      }
    }
  }

  @Test("loading the same key inside a load throws; another key can be loaded")
  func nested() throws {
    let memory = memory
    #expect(throws: StorageError.deadlock) {
      try memory.object(forKey: "a") { try memory.object(forKey: "a") { 1 } }
    }
    #expect(try memory.object(forKey: "a") { try memory.object(forKey: "b") { 1 } + 1 } == 2)
    #expect(memory.peek(forKey: "b")?.object == 1)
  }

  @Test("loading the same key in a task that the load waits for throws")
  func nestedInATask() async throws {
    let memory = memory
    await #expect(throws: StorageError.deadlock) {
      try await memory.object(forKey: "a") { () async throws -> Int in
        async let child = memory.object(forKey: "a") { () async throws -> Int in 1 }
        return try await child
      }
    }
    let sum = try await memory.object(forKey: "a") { () async throws -> Int in
      async let child = memory.object(forKey: "b") { () async throws -> Int in 1 }
      return try await child + 1
    }
    #expect(sum == 2)
  }
}
