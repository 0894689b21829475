/// How long to wait before connecting again: longer after each failure, and never as long as others wait.
///
/// A connection that is lost is made anew at once. What fails then doubles the time, from 50 milliseconds to 2 seconds,
/// of which a random part between the half and the whole counts: the clients of a server that comes back do not all
/// come in the same moment.
struct Backoff: Sendable {
  private static let shortest = 0.05
  private static let longest = 2.0

  private(set) var failures = 0

  /// Counts a failure, and says how long to wait now.
  mutating func delay(using random: inout some RandomNumberGenerator) -> Duration {
    defer { failures += 1 }
    if failures == 0 { return .zero }
    // More doublings than this change nothing.
    let whole = min(Self.shortest * Double(1 << min(failures - 1, 10)), Self.longest)
    return .seconds(Double.random(in: whole / 2...whole, using: &random))
  }

  /// It works again.
  mutating func reset() { failures = 0 }
}
