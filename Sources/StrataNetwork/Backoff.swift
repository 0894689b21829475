/// The delay before connecting again, which grows with each failure and is randomized.
///
/// After a loss the first attempt is made at once. Each failure then doubles the delay, from 50 milliseconds to 2
/// seconds. The actual delay is random between half and all of it, so that the clients of a restarted server do not all
/// connect at the same moment.
package struct Backoff: Sendable {
  private static let shortest = 0.05
  private static let longest = 2.0

  package private(set) var failures = 0

  package init() {}

  /// Counts a failure, and returns the delay.
  package mutating func delay(using random: inout some RandomNumberGenerator) -> Duration {
    defer { failures += 1 }
    if failures == 0 { return .zero }
    // Further doublings change nothing.
    let whole = min(Self.shortest * Double(1 << min(failures - 1, 10)), Self.longest)
    return .seconds(Double.random(in: whole / 2...whole, using: &random))
  }

  /// Resets the delay after a success.
  package mutating func reset() { failures = 0 }
}
