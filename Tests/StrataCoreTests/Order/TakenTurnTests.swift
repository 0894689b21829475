import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder

@Suite("Turns whose keys the fast path has taken", .timeLimit(.minutes(1)))
struct TakenTurnTests {
  private let order = KeyOrder<Int>(shards: 2)

  @Test("free keys are taken without a queue", arguments: [TurnScope.key(1), .keys([1, 2])])
  func free(_ scope: TurnScope<Int>) {
    let turn = order.turn(of: scope)
    #expect(order.hasCome(turn))
    #expect(order.table.withLock { $0.isEmpty })
    #expect(order.ifFree(1) {} == nil)
    order.leave(turn)
    #expect(order.isEmpty)
  }

  @Test("a turn of keys in use waits in their queues", arguments: [TurnScope.key(1), .keys([1, 2])])
  func used(_ scope: TurnScope<Int>) {
    let first = order.turn(of: scope)
    let second = order.turn(of: scope)
    let third = order.turn(of: .key(1))
    #expect([first, second, third].map(order.hasCome) == [true, false, false])
    order.leave(first)
    #expect(order.hasCome(second) && !order.hasCome(third))
    order.abandon(third)
    order.leave(second)
    #expect(order.isEmpty)
  }

  @Test("a turn of all keys takes none")
  func everything() {
    let taken = order.turn(of: .key(1))
    let fence = order.turn(of: .everything)
    #expect(!order.hasCome(fence))
    order.leave(taken)
    #expect(order.hasCome(fence))
    order.leave(fence)
    #expect(order.isEmpty)
  }

  @Test(
    "whoever runs a taken turn gets an error where it would wait for a thread that waits for the turn",
    arguments: [TurnScope.key(1), .keys([1, 2])], [true, false])
  func circle(_ scope: TurnScope<Int>, isAwaitedFirst: Bool) {
    let turn = order.turn(of: scope)
    var waiter: DispatchSemaphore?
    func startWaiter() {
      waiter = startThread {
        #expect(throws: Never.self) { try order.withTurn(.key(9)) { try order.withTurn(.key(1)) {} } }
      }
      blockUntil { order.waiting(key: 1) > 0 }
    }
    if isAwaitedFirst { startWaiter() }
    order.running(turn) {
      if !isAwaitedFirst { startWaiter() }
      #expect(throws: StorageError.deadlock) { try order.withTurn(.key(9)) {} }
    }
    order.leave(turn)
    waiter?.wait()
    #expect(order.isEmpty)
  }
}
