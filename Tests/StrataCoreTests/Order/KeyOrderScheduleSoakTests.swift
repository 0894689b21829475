import Dispatch
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder
@testable import StrataStreams
@testable import StrataValues

/// Tests an order with random schedules, without threads: every turn comes exactly when all earlier overlapping turns
/// have ended.
@Suite("Random schedules of KeyOrder: Soak", .timeLimit(.minutes(10)))
struct KeyOrderScheduleSoakTests {
  /// A turn that runs or waits, in the order of arrival.
  private struct Place {
    let scope: TurnScope<Int>
    /// The turn, or `nil` for keys that were taken by the fast path.
    let turn: Turn<Int>?
    /// The batch, if the fast path has taken several keys.
    var batch: KeyBatch<Int>?
  }

  private func scope(_ random: inout SeededGenerator) -> TurnScope<Int> {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .everything
    case 1...3: TurnScope((0..<3).map { _ in Int.random(in: 0..<5, using: &random) })
    default: .key(Int.random(in: 0..<5, using: &random))
    }
  }

  @Test("a turn begins exactly when all earlier turns that overlap it have ended or been cancelled")
  func model() {
    for round in 0..<Soak.rounds(100, soak: 100_000) {
      let seed = Soak.seed &+ UInt64(round)
      var random = SeededGenerator(seed: seed)
      let order = KeyOrder<Int>(shards: 2)
      var places: [Place] = []
      func isFree(_ scope: TurnScope<Int>, before end: Int) -> Bool {
        !places[..<end].contains { $0.scope.overlaps(scope) }
      }
      func end(_ index: Int) {
        let place = places.remove(at: index)
        if let turn = place.turn {
          if order.hasCome(turn) { order.leave(turn) } else { order.abandon(turn) }
        } else if let batch = place.batch {
          order.release(batch)
        } else if case .key(let key) = place.scope {
          order.release(key, key.hashValue)
        }
      }
      for _ in 0..<60 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          let scope = scope(&random)
          let isTaken = Bool.random(using: &random)
          places.append(Place(scope: scope, turn: isTaken ? order.turn(of: scope) : order.line(up: scope)))
        case 5:
          let keys = Set((0..<4).map { _ in Int.random(in: 0..<5, using: &random) })
          let batch = order.take(keys, by: .nobody)
          if (batch != nil) != isFree(.keys(keys), before: places.count) {
            Issue.record("seed \(seed): the quick way to \(keys) is wrong")
          }
          if let batch { places.append(Place(scope: .keys(keys), turn: nil, batch: batch)) }
        case 2:
          let key = Int.random(in: 0..<5, using: &random)
          let isTaken = order.take(key, key.hashValue, by: .nobody)
          if isTaken != isFree(.key(key), before: places.count) {
            Issue.record("seed \(seed): the quick way to \(key) is wrong")
          }
          if isTaken { places.append(Place(scope: .key(key), turn: nil)) }
        default:
          if let index = places.indices.randomElement(using: &random) { end(index) }
        }
        for (index, place) in places.enumerated() {
          guard let turn = place.turn else { continue }
          if order.hasCome(turn) != isFree(place.scope, before: index) {
            Issue.record("seed \(seed): \(place.scope) should \(order.hasCome(turn) ? "wait" : "have come")")
            return
          }
        }
      }
      while !places.isEmpty { end(places.indices.randomElement(using: &random) ?? 0) }
      if !(0..<2).allSatisfy(order.isIdle) { Issue.record("seed \(seed): a shard is left in use") }
      if !order.isEmpty { Issue.record("seed \(seed): something is left") }
    }
  }

  @Test("threads that take several keys inside a turn get deadlock errors, and none hangs")
  func nestedBatches() {
    for round in 0..<Soak.rounds(20, soak: 2_000) {
      let seed = Soak.seed &+ UInt64(round)
      let order = KeyOrder<Int>()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var random = SeededGenerator(seed: seed &+ UInt64(thread) &* 7919)
        for _ in 0..<20 {
          let mine = Int.random(in: 0..<4, using: &random)
          let others = TurnScope((0..<3).map { _ in Int.random(in: 0..<6, using: &random) })
          do {
            try order.withTurn(.key(mine)) { try order.withTurn(others) {} }
            try order.withTurn(others) {}
          } catch {
            #expect(StorageError.deadlock ~= error, "seed \(seed)")
          }
        }
      }
      if !order.isEmpty { Issue.record("seed \(seed): something is left") }
    }
  }
}
