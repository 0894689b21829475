/// How long a loop looks again and again before it lets the system wake it up.
///
/// To be woken up takes tens of microseconds, as long as a server on the same machine takes to answer. So it pays to
/// look for a while, but only where something comes within that while: each wait tells whether it would have. A server
/// in the network answers later than that, and is waited for asleep.
///
/// Measured on a quiet machine of four cores: up to 100 µs let one task get half as much again done as up to 50 µs do,
/// and sixteen tasks a quarter. They leave room for a server that was asleep itself.
struct Patience: Sendable {
  private static let shortest = Duration.microseconds(2)
  private static let longest = Duration.microseconds(100)

  private(set) var duration = shortest

  /// Learns how long it took until there was something to do.
  mutating func learn(fromWaiting time: Duration) {
    if time <= Self.longest {
      duration = min(duration * 2, Self.longest)
    } else {
      duration = max(duration / 2, Self.shortest)
    }
  }
}
