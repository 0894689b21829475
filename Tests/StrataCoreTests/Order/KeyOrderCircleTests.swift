import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

@Suite("KeyOrder: a cycle of waiting callers throws an error", .timeLimit(.minutes(2)))
struct KeyOrderCircleTests {
  @Test(
    "a task that blocks for a key whose turn it has gets an error",
    arguments: [TurnScope.key(1), .keys([1, 2]), .everything])
  private func blockingInsideATask(_ scope: TurnScope<Int>) async throws {
    let order = KeyOrder<Int>()
    try await order.withTurn(.key(1)) {
      #expect(throws: StorageError.deadlock) { try blocking { try order.withTurn(scope) {} } }
    }
    #expect(order.isEmpty)
  }

  @Test("of two tasks in turns of two orders that block for each other's keys, one gets an error")
  func crossing() async throws {
    let orders = [KeyOrder<Int>(), KeyOrder<Int>()]
    let gate = Gate(holding: 2)
    let tasks = (0..<2).map { index in
      Task {
        do {
          try await orders[index].withTurn(.key(1)) {
            await gate.pass()
            // Only one of them blocks its thread: the other needs a thread to continue.
            if index == 0 {
              try blocking { try orders[1].withTurn(.key(1)) {} }
            } else {
              try await orders[0].withTurn(.key(1)) {}
            }
          }
          return 0
        } catch {
          #expect(StorageError.deadlock ~= error)
          return 1
        }
      }
    }
    await gate.arrivals(2)
    gate.open()
    var told = 0
    for task in tasks { told += await task.value }
    #expect(told == 1)
    for order in orders { #expect(order.isEmpty) }
  }

  @Test(
    "of two tasks in turns of two orders whose children wait for each other's keys, one gets an error")
  func crossingChildren() async throws {
    let orders = [KeyOrder<Int>(), KeyOrder<Int>()]
    let gate = Gate(holding: 2)
    let tasks = (0..<2).map { index in
      Task {
        do {
          try await orders[index].withTurn(.key(1)) {
            await gate.pass()
            async let child: Void = orders[1 - index].withTurn(.key(1)) {}
            try await child
          }
          return 0
        } catch {
          #expect(StorageError.deadlock ~= error)
          return 1
        }
      }
    }
    await gate.arrivals(2)
    gate.open()
    var told = 0
    for task in tasks { told += await task.value }
    #expect(told == 1)
    for order in orders { #expect(order.isEmpty) }
  }

  @Test("a child task that blocks for a key whose turn its parent has gets an error")
  func blockingChild() async throws {
    let order = KeyOrder<Int>()
    try await order.withTurn(.key(1)) {
      async let child: Void = blocking { try order.withTurn(.everything) {} }
      do {
        try await child
        Issue.record("it would have to wait for its parent")
      } catch {
        #expect(StorageError.deadlock ~= error)
      }
    }
    #expect(order.isEmpty)
  }

  @Test(
    "a task started in a turn that has ended waits for later turns, including its starter's"
  )
  func outliving() async throws {
    let order = KeyOrder<Int>()
    let gate = Gate(holding: 1)
    let started = try await order.withTurn(.key(1)) {
      Task {
        await gate.pass()
        try await order.withTurn(.key(1)) {}
      }
    }
    await gate.arrivals(1)
    try await order.withTurn(.key(1)) {
      gate.open()
      await until { order.waiting(key: 1) == 1 }
    }
    try await started.value
    #expect(order.isEmpty)
  }

  @Test("a cancelled turn of several keys blocks no caller, though another of its keys is still taken")
  func cancelledBatch() async throws {
    let order = KeyOrder<Int>()
    let holder = order.line(up: .key(1))
    let batch = Task { try await order.withTurn(.keys([1, 2])) { Issue.record("it had no turn") } }
    await until { order.waiting(key: 1) == 1 }
    let behind = order.line(up: .key(2))
    #expect(!order.hasCome(behind))
    batch.cancel()
    await #expect(throws: CancellationError.self) { try await batch.value }
    #expect(order.hasCome(behind))
    order.leave(behind)
    order.leave(holder)
    #expect(order.isEmpty)
  }

  @Test("neither does a cancelled turn of all keys")
  func cancelledFence() async throws {
    let order = KeyOrder<Int>()
    let holder = order.line(up: .key(1))
    let all = Task { try await order.withTurn(.everything) { Issue.record("it had no turn") } }
    await until { order.hasFence }
    let behind = order.line(up: .key(2))
    #expect(!order.hasCome(behind))
    all.cancel()
    await #expect(throws: CancellationError.self) { try await all.value }
    #expect(order.hasCome(behind))
    order.leave(behind)
    order.leave(holder)
    #expect(order.isEmpty)
  }
}
