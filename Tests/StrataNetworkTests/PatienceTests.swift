import Testing

@testable import StrataNetwork

struct PatienceTests {
  /// The polling time grows, up to a bound, while events arrive quickly. Otherwise it shrinks.
  @Test func pollingTimeFollowsTheEvents() {
    var patience = Patience()
    let short = patience.duration
    for _ in 0..<20 { patience.learn(fromWaiting: .microseconds(30)) }
    #expect(patience.duration == .microseconds(100))
    for _ in 0..<20 { patience.learn(fromWaiting: .milliseconds(1)) }
    #expect(patience.duration == short)
    #expect(short <= .microseconds(5))
  }
}
