import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import Testing

@Suite("Expiry: when a value stops being valid")
struct ExpiryTests {
  let time = ManualClock()

  @Test("`.never` does not expire at any time")
  func never() {
    #expect(!Expiry.never.isExpired)
    time.advance(by: 1e12)
    #expect(!Expiry.never.isExpired(by: time.clock))
    #expect(Expiry.never.date == .distantFuture)
    #expect(Expiry.never.resolved(by: time.clock) == .never)
  }

  @Test("a date is valid before itself, and expired from then on")
  func date() {
    let expiry = Expiry.date(time.date.addingTimeInterval(1))
    #expect(!expiry.isExpired(by: time.clock))
    time.advance(by: 0.5)
    #expect(!expiry.isExpired(by: time.clock))
    time.advance(by: 0.5)
    #expect(expiry.isExpired(by: time.clock))
    time.advance(by: -0.5)
    #expect(!expiry.isExpired(by: time.clock))
    #expect(expiry.resolved(by: time.clock) == expiry)
    #expect(Expiry.date(.distantPast).isExpired)
    #expect(!Expiry.date(.distantFuture).isExpired)
    #expect(Expiry.date(.distantPast).date == .distantPast)
  }

  @Test("`.seconds` are converted to a date on storing")
  func seconds() {
    let resolved = Expiry.seconds(10).resolved(by: time.clock)
    #expect(resolved == .date(time.date.addingTimeInterval(10)))
    time.advance(by: 5)
    #expect(resolved != Expiry.seconds(10).resolved(by: time.clock))
    #expect(resolved.resolved(by: time.clock) == resolved)
  }

  @Test(
    "`.seconds` that are zero or negative are expired at once",
    arguments: [0, -0.5, -1e9, -.infinity] as [Double])
  func notPositive(_ seconds: Double) {
    #expect(Expiry.seconds(seconds).isExpired)
    #expect(Expiry.seconds(seconds).isExpired(by: time.clock))
    #expect(Expiry.seconds(seconds).resolved(by: time.clock).isExpired(by: time.clock))
  }

  @Test(
    "positive `.seconds` are not expired yet, whatever their number",
    arguments: [1e-3, 1, 1e12, .infinity] as [Double])
  func positive(_ seconds: Double) {
    #expect(!Expiry.seconds(seconds).isExpired)
    #expect(!Expiry.seconds(seconds).resolved(by: time.clock).isExpired(by: time.clock))
  }

  @Test("infinitely many seconds are `.never`")
  func infinite() { #expect(Expiry.seconds(.infinity).resolved(by: time.clock) == .never) }

  @Test("the date of `.seconds` counts from now")
  func dateOfSeconds() {
    let before = Date()
    let date = Expiry.seconds(60).date
    #expect(date >= before.addingTimeInterval(60))
    #expect(date <= Date().addingTimeInterval(60))
  }
}
