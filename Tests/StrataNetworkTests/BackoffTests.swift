import StrataTestKit
import Testing

@testable import StrataNetwork

struct BackoffTests {
  @Test func delaysGrowAndDiffer() {
    var random = SeededGenerator(seed: 1)
    var delays: [[Duration]] = []
    for _ in 0..<100 {
      var backoff = Backoff()
      delays.append((0..<80).map { _ in backoff.delay(using: &random) })
      backoff.reset()
      let first = backoff.delay(using: &random)
      #expect(first == .zero)
    }
    for failure in 0..<80 {
      let all = delays.map { $0[failure] }
      let whole = failure == 0 ? Duration.zero : min(.milliseconds(50 << min(failure - 1, 20)), .seconds(2))
      #expect(all.allSatisfy { $0 >= whole / 2 && $0 <= whole })
      if failure > 0 { #expect(Set(all).count > 90) }
    }
  }
}

struct TimersTests {
  @Test func jobsComeInTheOrderOfTheirTimes() {
    var timers = Timers()
    var random = SeededGenerator(seed: 2)
    let start = ContinuousClock.now
    let seconds = (0..<500).map { _ in Int.random(in: 0..<200, using: &random) }
    for second in seconds { timers.add(start + .seconds(second)) {} }
    var times: [ContinuousClock.Instant] = []
    while let next = timers.next {
      let early = timers.popDue(next - .nanoseconds(1))
      let due = timers.popDue(next)
      #expect(early == nil && due != nil)
      times.append(next)
    }
    #expect(times == seconds.sorted().map { start + .seconds($0) })
  }
}
