import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder

@Suite(.timeLimit(.minutes(10)))
struct KeyOrderTests {
  /// Yields to other tasks until a condition holds.
  private func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

  @Test("threads and tasks on one key never run concurrently, and no increment is lost")
  func mixed() async throws {
    let order = KeyOrder<String>()
    let pool = BlockingPool()
    let inside = Shared(0)
    let box = Unordered(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            let step: @Sendable () -> Void = {
              #expect(
                inside.change { count in
                  count += 1
                  return count
                } == 1)
              box.value += 1
              inside.change { $0 -= 1 }
            }
            if worker.isMultiple(of: 2) {
              try await order.withTurn(.key("a")) {
                step()
                await Task.yield()
              }
            } else {
              try await pool.run { try order.withTurn(.key("a")) { step() } }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(box.value == 8 * 200)
  }

  @Test("operations on different keys run concurrently")
  func parallel() throws {
    let order = KeyOrder<Int>()
    let (one, two) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = startThread {
      #expect(throws: Never.self) {
        try order.withTurn(.key(1)) {
          one.signal()
          two.wait()
        }
      }
    }
    one.wait()
    // This is inside the turn of 1, which ends only after the turn of 2 has begun.
    try order.withTurn(.key(2)) { two.signal() }
    done.wait()
  }

  @Test("an operation on all keys runs alone, after all earlier operations and before all later ones")
  func everything() async throws {
    let order = KeyOrder<Int>()
    let log = Shared<[String]>([])
    let first = order.line(up: .key(1))
    let all = order.line(up: .everything)
    let second = order.line(up: .key(1))
    let other = order.line(up: .keys([2, 3]))
    order.whenReady(first) { _ in log.change { $0.append("first") } }
    order.whenReady(all) { _ in log.change { $0.append("all") } }
    order.whenReady(second) { _ in log.change { $0.append("second") } }
    order.whenReady(other) { _ in log.change { $0.append("other") } }
    #expect(log.value == ["first"])
    order.leave(first)
    #expect(log.value == ["first", "all"])
    order.leave(all)
    #expect(Set(log.value.suffix(2)) == ["second", "other"])
    order.leave(second)
    order.leave(other)
    #expect(order.isEmpty)
  }

  @Test("batches over the same keys in any order do not deadlock")
  func batches() async throws {
    let order = KeyOrder<Int>()
    let running = Shared<Set<Int>>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<50 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(worker))
          for _ in 0..<50 {
            let keys = Set((0..<3).map { _ in Int.random(in: 0..<6, using: &random) })
            try await order.withTurn(.keys(keys)) {
              running.change { running in
                #expect(running.isDisjoint(with: keys))
                running.formUnion(keys)
              }
              await Task.yield()
              running.change { $0.subtract(keys) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(order.isEmpty)
  }

  @Test("a task cancelled while it waits throws, and the others continue")
  func cancellation() async throws {
    let order = KeyOrder<Int>()
    let holder = order.line(up: .key(1))
    let cancelled = Task { try await order.withTurn(.key(1)) { Issue.record("it had no turn") } }
    await until { order.waiting(key: 1) == 1 }
    let patient = Task { try await order.withTurn(.key(1)) { 7 } }
    await until { order.waiting(key: 1) == 2 }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    order.leave(holder)
    #expect(try await patient.value == 7)
    #expect(order.isEmpty)
  }

  @Test("a task cancelled before it waits throws once it would have to wait")
  func cancelledBefore() async throws {
    let order = KeyOrder<Int>()
    let holder = order.line(up: .key(1))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await order.withTurn(.key(1)) { Issue.record("it had no turn") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    order.leave(holder)
    #expect(order.isEmpty)
  }

  @Test("a nested read of the same key is allowed, a nested write throws")
  func reentry() throws {
    let order = KeyOrder<String>()
    try order.withTurn(.key("a")) {
      #expect(try order.withTurn(.key("a"), reads: true) { 1 } == 1)
      #expect(throws: StorageError.deadlock) { try order.withTurn(.key("a")) {} }
      #expect(throws: StorageError.deadlock) { try order.withTurn(.everything) {} }
      #expect(throws: StorageError.deadlock) { try order.withTurn(.keys(["b", "a"])) {} }
      try order.withTurn(.key("b")) {}
    }
    #expect(order.isEmpty)
  }

  @Test("of two threads that want each other's keys, one gets an error and the other continues")
  func circle() throws {
    let order = KeyOrder<String>()
    let bothHold = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let failures = Shared(0)
    let threads = ["ab", "ba"].enumerated().map { index, keys in
      startThread {
        let (mine, other) = (String(keys.prefix(1)), String(keys.suffix(1)))
        do {
          try order.withTurn(.key(mine)) {
            bothHold[index].signal()
            bothHold[1 - index].wait()
            try order.withTurn(.key(other)) {}
          }
        } catch {
          #expect(StorageError.deadlock ~= error)
          failures.change { $0 += 1 }
        }
      }
    }
    threads.forEach { $0.wait() }
    #expect((1...2).contains(failures.value))
    #expect(order.isEmpty)
  }

  @Test("a cycle over three threads and two orders is detected as well")
  func longCircle() throws {
    let orders = [KeyOrder<Int>(), KeyOrder<Int>()]
    let hold = (0..<3).map { _ in DispatchSemaphore(value: 0) }
    let failures = Shared(0)
    let threads = (0..<3).map { index in
      startThread {
        do {
          try orders[index % 2].withTurn(.key(index)) {
            hold.forEach { $0.signal() }
            for _ in 0..<3 { hold[index].wait() }
            let next = (index + 1) % 3
            try orders[next % 2].withTurn(.key(next)) {}
          }
        } catch {
          #expect(StorageError.deadlock ~= error)
          failures.change { $0 += 1 }
        }
      }
    }
    threads.forEach { $0.wait() }
    #expect((1...3).contains(failures.value))
    for order in orders { #expect(order.isEmpty) }
  }

  /// With work for each turn that grows with their number, this takes minutes.
  @Test("many turns behind a removal of everything can be cancelled", .timeLimit(.minutes(1)))
  func manyBehindFence() {
    let order = KeyOrder<Int>()
    let fence = order.line(up: .everything)
    let turns = (0..<50_000).map { order.line(up: .key($0)) }
    for turn in turns { order.abandon(turn) }
    #expect(order.table.withLock { $0.fences.map(\.behind.count) } == [0])
    order.leave(fence)
    #expect(order.isEmpty)
  }

  @Test("a nested operation passes a waiting removal of all keys that waits for its thread")
  func nestedPassesFence() throws {
    let order = KeyOrder<String>()
    var fence: DispatchSemaphore?
    try order.withTurn(.key("a")) {
      fence = startThread { #expect(throws: Never.self) { try order.withTurn(.everything) {} } }
      blockUntil { order.hasFence }
      try order.withTurn(.key("b")) {}
      let batch = order.line(up: .keys(["c", "a"]))
      try order.withTurn(.key("c")) {}
      order.abandon(batch)
    }
    fence?.wait()
    #expect(order.isEmpty)
  }

  @Test("a thread that waits inside a pool does not prevent the pool from running the job it waits for")
  func compensation() async throws {
    let pool = BlockingPool(width: 2)
    let order = KeyOrder<Int>()
    let turn = order.line(up: .key(1))
    // More jobs wait for the turn than the pool has threads; the job that ends it comes last.
    async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { try await pool.run { try order.withTurn(.key(1)) {} } } }
      try await group.waitForAll()
    }
    await until { order.waiting(key: 1) >= 2 }
    try await pool.run { order.leave(turn) }
    try await all
    #expect(order.isEmpty)
  }

  @Test("jobs that hang do not delay other jobs of the pool for long")
  func hangingJobs() async throws {
    let (pool, end) = (BlockingPool(width: 2), DispatchSemaphore(value: 0))
    let (arrived, answers) = (Shared(0), Shared(0))
    for _ in 0..<10 {
      pool.submit {
        arrived.change { $0 += 1 }
        end.wait()
      }
    }
    pool.submit { answers.change { $0 += 1 } }
    await until { answers.value == 1 }
    #expect(arrived.value == 10)
    pool.submit { answers.change { $0 += 1 } }
    await until { answers.value == 2 }
    for _ in 0..<10 { end.signal() }
  }

  @Test("jobs that wait for each other in a queue start at most twice as many threads as the pool is wide")
  func noThreadForEachJob() async throws {
    let (pool, order, gate) = (BlockingPool(width: 2, limit: 2), KeyOrder<Int>(), ThreadGate())
    let running = Shared((now: 0, most: 0))
    async let holder: Void = onThread { try order.withTurn(.key(1)) { gate.pass() } }
    await gate.arrival()
    async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try await pool.run {
            running.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            try order.withTurn(.key(1)) {}
            running.change { $0.now -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    await until { order.waiting(key: 1) >= 4 }
    gate.open()
    try await holder
    try await all
    #expect(running.value.most <= 4)
    #expect(order.isEmpty)
  }
}

/// A value without a lock, guarded only by an order.
///
/// Unchecked: its safety is the subject of the test.
private final class Unordered<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
