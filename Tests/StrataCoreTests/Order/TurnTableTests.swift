import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder

private final class Member: Equatable {
  let name: Int
  init(_ name: Int) { self.name = name }
  static func == (a: Member, b: Member) -> Bool { a === b }
}

/// The table as an object, since `#expect` takes no call of a mutating function.
private final class Table<Key: Hashable> {
  private var turns = TurnTable<Key, Member>()
  var isEmpty: Bool { turns.isEmpty }
  func enter(_ member: Member, key: Key) -> Bool { turns.enter(member, key: key) }
  func enterFence(_ member: Member) -> Bool { turns.enterFence(member) }
  func leave(key: Key) -> Member? { turns.leave(key: key) }
  func leaveFence() -> [Member] { turns.fences.first.map { turns.leaveFence($0.member) } ?? [] }
  func giveUp(_ member: Member, key: Key) -> Member? { turns.leave(member, key: key) }
  func giveUpFence(_ member: Member) -> [Member] { turns.leaveFence(member) }
  func barge(
    _ member: Member, key: Key, isRunning: (Member) -> Bool
  ) -> (isFirst: Bool, pushedBack: Member?) {
    turns.barge(member, key: key, isRunning: isRunning)
  }
}

@Suite("TurnTable: the order of turns")
struct TurnTableTests {
  @Test("each key's queue is first in, first out")
  func line() {
    let table = Table<String>()
    let members = (0..<5).map(Member.init)
    #expect(members.map { table.enter($0, key: "a") } == [true, false, false, false, false])
    #expect(table.enter(Member(9), key: "b"), "another key has a line of its own")
    for next in members.dropFirst() { #expect(table.leave(key: "a") == next) }
    #expect(table.leave(key: "a") == nil)
  }

  @Test("a fence runs after all earlier turns have ended, and before all later ones")
  func fence() {
    let table = Table<String>()
    let (before, fence, behind, other) = (Member(0), Member(1), Member(2), Member(3))
    #expect(table.enter(before, key: "a"))
    #expect(!table.enterFence(fence))
    #expect(!table.enter(behind, key: "a"))
    #expect(!table.enter(other, key: "b"))
    #expect(table.leave(key: "a") == fence)
    #expect(table.leaveFence() == [behind, other])
    #expect(table.leave(key: "a") == nil)
    #expect(table.leave(key: "b") == nil)
    #expect(table.isEmpty)
  }

  @Test("fences queue behind each other")
  func fences() {
    let table = Table<String>()
    let (first, second, between, after) = (Member(0), Member(1), Member(2), Member(3))
    #expect(table.enterFence(first))
    #expect(!table.enter(between, key: "a"))
    #expect(!table.enterFence(second))
    #expect(!table.enter(after, key: "a"))
    #expect(table.leaveFence() == [between])
    #expect(table.leave(key: "a") == second)
    #expect(table.leaveFence() == [after])
  }

  @Test("a turn that barges passes waiting turns, but not the running one")
  func barging() {
    let table = Table<String>()
    let (running, waiting, barging) = (Member(0), Member(1), Member(2))
    _ = table.enter(running, key: "a")
    _ = table.enter(waiting, key: "a")
    let place = table.barge(barging, key: "a") { $0 === running }
    #expect(!place.isFirst && place.pushedBack == nil)
    #expect(table.leave(key: "a") == barging)
    #expect(table.leave(key: "a") == waiting)
  }

  @Test("a turn that barges takes the first place of a turn that waits for another key")
  func pushingBack() {
    let table = Table<String>()
    let (waiting, barging) = (Member(1), Member(2))
    _ = table.enter(waiting, key: "a")
    let place = table.barge(barging, key: "a") { _ in false }
    #expect(place.isFirst && place.pushedBack == waiting)
    #expect(table.leave(key: "a") == waiting)
  }

  @Test(
    "a turn that barges passes a waiting fence, and waits behind a running one", arguments: [true, false])
  func bargingAtAFence(fenceRuns: Bool) {
    let table = Table<String>()
    let (holder, fence, barging) = (Member(0), Member(1), Member(2))
    if !fenceRuns { _ = table.enter(holder, key: "a") }
    #expect(table.enterFence(fence) == fenceRuns)
    let place = table.barge(barging, key: "b") { $0 === holder || fenceRuns }
    #expect(place.isFirst != fenceRuns)
    if fenceRuns {
      #expect(table.leaveFence() == [barging])
    } else {
      #expect(table.leave(key: "a") == nil, "the barging one is still before the fence")
      #expect(table.leave(key: "b") == fence)
    }
  }

  @Test(
    "a cancelled waiter leaves at once: the first, one in the middle, and one behind a fence")
  func givingUp() {
    let table = Table<String>()
    let (first, second, third, fence, behind) = (Member(0), Member(1), Member(2), Member(3), Member(4))
    #expect(table.enter(first, key: "a"))
    #expect(!table.enter(second, key: "a") && !table.enter(third, key: "a"))
    #expect(!table.enterFence(fence) && !table.enter(behind, key: "a"))
    #expect(table.giveUp(second, key: "a") == nil)
    #expect(table.giveUp(behind, key: "a") == nil)
    #expect(table.giveUp(first, key: "a") == third)
    #expect(table.leave(key: "a") == fence)
    #expect(table.leaveFence() == [])
    #expect(table.isEmpty)
  }

  @Test("when a fence is cancelled, turns behind it move behind the earlier fence, or to their queues")
  func fencesGivenUp() {
    let table = Table<String>()
    let (first, one, other, behind) = (Member(0), Member(1), Member(2), Member(3))
    #expect(table.enter(first, key: "a"))
    #expect(!table.enterFence(one) && !table.enterFence(other) && !table.enter(behind, key: "b"))
    #expect(table.giveUpFence(other) == [])
    #expect(table.giveUpFence(one) == [behind])
    #expect(table.leave(key: "a") == nil && table.leave(key: "b") == nil)
    #expect(table.isEmpty)
  }

  @Test("at most one turn of a key is first, none is lost, and each queue keeps its order", arguments: 0..<20)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let table = Table<Int>()
    var running: [(Int?, Member)] = []
    var entered: [Int?: [Int]] = [:]
    var ran: [Int?: [Int]] = [:]
    var keys: [ObjectIdentifier: Int?] = [:]
    var all: [Member] = []
    func start(_ member: Member) {
      let key = keys[ObjectIdentifier(member)] ?? nil
      ran[key, default: []].append(member.name)
      running.append((key, member))
      if key == nil { #expect(running.count == 1, "a fence runs alone") }
      #expect(running.filter { $0.0 == key }.count == 1, "one at a time")
    }
    for step in 0..<2000 {
      if step < 1500, Bool.random(using: &random) || running.isEmpty {
        let member = Member(step)
        all.append(member)
        let key = Int.random(in: 0..<40, using: &random) == 0 ? nil : Int.random(in: 0..<5, using: &random)
        keys[ObjectIdentifier(member)] = key
        entered[key, default: []].append(step)
        if let key {
          if table.enter(member, key: key) { start(member) }
        } else if table.enterFence(member) {
          start(member)
        }
      } else if !running.isEmpty {
        let (key, _) = running.remove(at: Int.random(in: 0..<running.count, using: &random))
        let next = key.map { table.leave(key: $0).map { [$0] } ?? [] } ?? table.leaveFence()
        next.forEach(start)
      }
    }
    while let (key, _) = running.popLast() {
      (key.map { table.leave(key: $0).map { [$0] } ?? [] } ?? table.leaveFence()).forEach(start)
    }
    #expect(table.isEmpty)
    #expect(ran == entered, "each line in the order of arrival")
  }
}
