import Foundation
import TestSupport
import Testing

@testable import StrataMemory

@Suite("TimerWheel: timers are due in the order of their deadlines")
struct TimerWheelTests {
  private static func expired(_ wheel: inout TimerWheel, at time: Double, steps: Int = .max) -> [UInt32] {
    var steps = steps
    var expired: [UInt32] = []
    while let index = wheel.next(at: time, steps: &steps) { expired.append(index) }
    return expired
  }

  private static func swept(_ wheel: inout TimerWheel, at time: Double) -> [UInt32] {
    let first = expired(&wheel, at: time)
    wheel.lookAtPresent()
    return first + expired(&wheel, at: time)
  }

  @Test(
    "a timer runs out at its time, not before, and at most a tick later, however far away it is",
    arguments: [0.125, 1, 7.5, 8, 60, 511.875, 512, 3600, 86_400, 1e6, 1e8, 6e10])
  func distances(_ distance: Double) {
    let start = 800_000_000.0
    for offset in [0, 0.01, 63.9, 1000.5] {
      var wheel = TimerWheel()
      // Another timer advances the wheel to the current time.
      wheel.set(1, deadline: start + offset)
      #expect(Self.expired(&wheel, at: start + offset + 1) == [1])
      let deadline = start + offset + distance
      wheel.set(7, deadline: deadline)
      #expect(Self.swept(&wheel, at: deadline - 0.01) == [])
      #expect(wheel.count == 1)
      #expect(wheel.deadline(of: 7) == deadline)
      #expect(Self.expired(&wheel, at: deadline + 0.13) == [7])
      #expect(wheel.count == 0)
    }
  }

  @Test("a sweep finds the timers that are due within the present tick, and no others")
  func sweep() {
    var wheel = TimerWheel()
    for index in 0..<10 { wheel.set(UInt32(index), deadline: 100 + Double(index) / 100) }
    #expect(Self.swept(&wheel, at: 100.045).sorted() == [0, 1, 2, 3, 4])
    #expect(Self.swept(&wheel, at: 100.045) == [])
    #expect(Self.swept(&wheel, at: 100.2).sorted() == [5, 6, 7, 8, 9])
  }

  @Test("an infinite deadline, or one that is not a number, is never due")
  func never() {
    var wheel = TimerWheel()
    for (index, deadline) in [Double.infinity, .nan, .greatestFiniteMagnitude].enumerated() {
      wheel.set(UInt32(index), deadline: deadline)
    }
    #expect(Self.swept(&wheel, at: 1e11) == [])
    #expect(wheel.count == 3)
    wheel.set(4, deadline: -.infinity)
    #expect(Self.swept(&wheel, at: 1e11) == [4])
  }

  @Test("no call takes more steps than allowed, and each timer moves at most seven times")
  func steps() {
    var wheel = TimerWheel()
    let count = 2000
    for index in 0..<count { wheel.set(UInt32(index), deadline: 5e8 + Double(index) * 97) }
    var expired = 0
    var calls = 0
    while wheel.count > 0, calls < count * 7 {
      calls += 1
      expired += Self.expired(&wheel, at: 1e9, steps: 1).count
    }
    #expect(expired == count)
    #expect(calls <= count * 7)
  }

  @Test("setting the clock back neither loses a timer nor makes one due too early")
  func clockGoesBack() {
    var wheel = TimerWheel()
    wheel.set(1, deadline: 2000)
    wheel.set(2, deadline: 5000)
    #expect(Self.swept(&wheel, at: 3000) == [1])
    wheel.set(3, deadline: 1100)
    #expect(Self.swept(&wheel, at: 1000) == [])
    #expect(Self.swept(&wheel, at: 1100) == [3])
    #expect(Self.swept(&wheel, at: 4999) == [])
    #expect(Self.swept(&wheel, at: 5000) == [2])
  }

  @Test(
    "it agrees with a dictionary under timers set, cancelled and handed on", arguments: [1, 2, 3] as [UInt64])
  func model(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var wheel = TimerWheel()
    var model: [UInt32: Double] = [:]
    var now = 1000.0
    for _ in 0..<4000 {
      let index = UInt32.random(in: 0..<600, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        if model[index] != nil { wheel.cancel(index) }
        let deadline = now + pow(10, .random(in: -1...5, using: &random))
        wheel.set(index, deadline: deadline)
        model[index] = deadline
      case 5:
        if model.removeValue(forKey: index) != nil { wheel.cancel(index) }
      case 6:
        let other = UInt32.random(in: 0..<600, using: &random)
        if let deadline = model[index], model[other] == nil {
          wheel.move(index, to: other)
          model[index] = nil
          model[other] = deadline
        }
      case 7:
        for index in Self.expired(&wheel, at: now, steps: 3) {
          #expect(model.removeValue(forKey: index) ?? .infinity <= now)
        }
      default:
        now += Int.random(in: 0..<10, using: &random) == 0 ? 5000 : 0.3
        let swept = Self.swept(&wheel, at: now)
        #expect(Set(swept) == Set(model.filter { $0.value <= now }.keys))
        #expect(Set(swept).count == swept.count)
        model = model.filter { $0.value > now }
      }
      #expect(wheel.count == model.count)
    }
  }
}
