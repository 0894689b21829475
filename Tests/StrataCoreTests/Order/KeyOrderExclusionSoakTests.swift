import Dispatch
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder

/// Tests turns in random schedules, including turns that pass others: overlapping turns never run concurrently, and a
/// possible turn always runs.
@Suite("KeyOrder excludes overlapping turns: Soak", .timeLimit(.minutes(10)))
struct KeyOrderExclusionSoakTests {
  private func scope(_ random: inout SeededGenerator) -> TurnScope<Int> {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .everything
    case 1, 2: TurnScope((0..<3).map { _ in Int.random(in: 0..<4, using: &random) })
    default: .key(Int.random(in: 0..<4, using: &random))
    }
  }

  @Test(
    "without threads: overlapping turns never run together, one waiting turn always runs, and all end"
  )
  func model() {
    for round in 0..<Soak.rounds(100, soak: 100_000) {
      let seed = Soak.seed &+ UInt64(round)
      var random = SeededGenerator(seed: seed)
      let order = KeyOrder<Int>(shards: 2)
      var turns: [Turn<Int>] = []
      func end(_ index: Int) {
        let turn = turns.remove(at: index)
        if order.hasCome(turn) { order.leave(turn) } else { order.abandon(turn) }
      }
      for step in 0..<60 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: turns.append(order.line(up: scope(&random)))
        case 3: turns.append(order.turn(of: scope(&random)))
        case 2:
          let scope = scope(&random)
          let turn = Turn(order: order, scope: scope, reads: false, runner: .nobody)
          _ = order.enter(turn, ahead: true)
          turns.append(turn)
        default: if let index = turns.indices.randomElement(using: &random) { end(index) }
        }
        let running = turns.filter { order.hasCome($0) }
        for (index, one) in running.enumerated() {
          for other in running[(index + 1)...] where one.scope.overlaps(other.scope) {
            Issue.record("seed \(seed), step \(step): \(one.scope) and \(other.scope) have both come")
            return
          }
        }
        if running.isEmpty, !turns.isEmpty {
          Issue.record("seed \(seed), step \(step): nobody's turn has come")
          return
        }
      }
      while let index = turns.firstIndex(where: { order.hasCome($0) }) { end(index) }
      if !turns.isEmpty || !order.isEmpty { Issue.record("seed \(seed): something is left") }
    }
  }

  @Test(
    "threads and tasks, some cancelled: a turn excludes others on its keys, and sees their earlier changes")
  func threadsAndTasks() async {
    for round in 0..<Soak.rounds(20, soak: 2_000) {
      let seed = Soak.seed &+ UInt64(round)
      let shared = Shared()
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask { await shared.tasks(seed &+ UInt64(worker) &* 7919) }
        }
        blocking {
          DispatchQueue.concurrentPerform(iterations: 2) { worker in
            shared.threads(seed &+ UInt64(worker + 4) &* 7919)
          }
        }
        await group.waitForAll()
      }
      #expect(shared.sum == shared.entered.withLock { $0 }, "seed \(seed)")
      #expect(shared.order.isEmpty, "seed \(seed)")
    }
  }
}

/// Counters that are guarded only by turns: ThreadSanitizer detects a missing exclusion.
///
/// Unchecked: its safety is the subject of the test.
private final class Shared: @unchecked Sendable {
  let order = KeyOrder<Int>(shards: 2)
  let entered = Locked(0)
  private let base: UnsafeMutablePointer<Int>

  init() {
    base = .allocate(capacity: 3)
    base.initialize(repeating: 0, count: 3)
  }

  deinit { base.deallocate() }

  var sum: Int { (0..<3).reduce(0) { $0 + base[$1] } }

  private func count(_ key: Int) {
    base[key] += 1
    entered.withLock { $0 += 1 }
  }

  func threads(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let (one, other) = (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<3, using: &random))
      do {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try order.withTurn(.everything) { for key in 0..<3 { count(key) } }
        case 1: try order.withTurn(.keys([one, other])) { for key in Set([one, other]) { count(key) } }
        case 2: _ = order.ifFree(one) { count(one) }
        default: try order.withTurn(.key(one)) { count(one) }
        }
      } catch { Issue.record(error, "seed \(seed)") }
    }
  }

  private func inTakenTurn(_ scope: TurnScope<Int>, _ key: Int) async throws {
    let turn = order.turn(of: scope)
    try await order.wait(for: turn)
    count(key)
    order.leave(turn)
  }

  func tasks(_ seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let key = Int.random(in: 0..<3, using: &random)
      let suspends = Bool.random(using: &random)
      let isAll = Int.random(in: 0..<8, using: &random) == 0
      let isTaken = Bool.random(using: &random)
      let task = Task {
        do {
          let scope = isAll ? TurnScope.everything : isTaken ? .keys([key, 0]) : .key(key)
          if isTaken { return try await inTakenTurn(scope, key) }
          try await order.withTurn(scope) {
            count(key)
            if suspends { await Task.yield() }
          }
        } catch { if !(error is CancellationError) { Issue.record(error, "seed \(seed)") } }
      }
      if Int.random(in: 0..<4, using: &random) == 0 { task.cancel() }
      await task.value
    }
  }
}
