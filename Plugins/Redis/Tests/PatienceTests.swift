import Testing

@testable import StrataRedis

struct PatienceTests {
  /// It grows where answers are quick, up to a bound, and is given up where they are not.
  @Test func itIsWorthWhatItWaitsFor() {
    var patience = Patience()
    let short = patience.duration
    for _ in 0..<20 { patience.learn(fromWaiting: .microseconds(30)) }
    #expect(patience.duration == .microseconds(100))
    for _ in 0..<20 { patience.learn(fromWaiting: .milliseconds(1)) }
    #expect(patience.duration == short)
    #expect(short <= .microseconds(5))
  }
}
