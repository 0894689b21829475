import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import Testing

@testable import StrataValues

@Suite("StorageClock: the current time")
struct StorageClockTests {
  /// The tolerance of the comparison. The system clock uses a coarse reading where possible, which must not be visible.
  /// Dates are compared as `Double`s, whose precision is finer than this.
  private static let rounding = 1e-6

  @Test("the system's `isPast` agrees with an exact comparison, before and after now", arguments: 1...3)
  func exact(_ seed: Int) {
    var wrong: [String] = []
    for number in 0..<60_000 {
      // Offsets within 30 ms of now, where the coarse reading may not decide.
      let offset = Double((number * 7919 + seed) % 60_001 - 30_000) * 1e-6
      let before = Date()
      let date = before.addingTimeInterval(offset)
      let isPast = StorageClock.system.isPast(date)
      let after = Date()
      if isPast, date > after.addingTimeInterval(Self.rounding) { wrong.append("\(offset): too early") }
      if !isPast, date <= before.addingTimeInterval(-Self.rounding) { wrong.append("\(offset): too late") }
    }
    #expect(wrong == [])
  }

  #if os(Linux)
    @Test("a clock that lags decides only about dates that are further away than it may lag")
    func lagging() {
      #expect(StorageClock.isPast(100, lagging: 100) == true)
      #expect(StorageClock.isPast(100.06, lagging: 100) == nil)
      #expect(StorageClock.isPast(101, lagging: 100) == nil)
      #expect(StorageClock.isPast(101.01, lagging: 100) == false)
    }
  #endif

  @Test("a date is past from its moment on")
  func turns() {
    for _ in 0..<20 {
      let date = Date().addingTimeInterval(0.001)
      while !StorageClock.system.isPast(date) {}
      #expect(Date().addingTimeInterval(Self.rounding) >= date)
      #expect(StorageClock.system.isPast(date))
    }
  }

  @Test(
    "`isPast` is right for dates far from now",
    arguments: [(-1e9, true), (-1, true), (1, false), (1e9, false)])
  func far(_ offset: Double, _ isPast: Bool) {
    #expect(StorageClock.system.isPast(Date().addingTimeInterval(offset)) == isPast)
  }

  @Test("the system's `now` is the machine's time")
  func now() {
    let before = Date()
    let now = StorageClock.system.now
    #expect(before <= now)
    #expect(now <= Date())
  }

  @Test("a custom clock is read each time, and a date equal to its time is past")
  func own() {
    let readings = Locked(0)
    let clock = StorageClock {
      readings.withLock { readings in
        readings += 1
        return Date(timeIntervalSince1970: Double(readings))
      }
    }
    #expect(clock.now == Date(timeIntervalSince1970: 1))
    #expect(!clock.isPast(Date(timeIntervalSince1970: 2.5)))
    #expect(clock.isPast(Date(timeIntervalSince1970: 3)))
    #expect(readings.withLock { $0 } == 3)
  }

  @Test("a manual clock changes only when it is set, also backwards")
  func manual() {
    let start = Date(timeIntervalSince1970: 5)
    let time = ManualClock(start)
    let clock = time.clock
    #expect(clock.now == start)
    time.advance(by: 2)
    #expect(clock.now == start.addingTimeInterval(2))
    #expect(time.date == clock.now)
    time.advance(by: -3)
    #expect(clock.now == start.addingTimeInterval(-1))
    #expect(ManualClock().date == ManualClock().date)
  }
}
