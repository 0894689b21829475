/// The time for which the event loop polls before it blocks until the system wakes it up.
///
/// Waking up takes tens of microseconds, as long as the reply of a server on the same machine. Polling pays off only if
/// events arrive within that time, so the time is adjusted after each wait. Replies from other machines take longer, so
/// the loop then blocks at once.
///
/// The limit allows for a server that has to wake up too: with half of it, one task makes a third fewer calls.
struct Patience: Sendable {
  private static let shortest = Duration.microseconds(2)
  private static let longest = Duration.microseconds(100)

  private(set) var duration = shortest

  /// Adjusts the duration to the time until the last event.
  mutating func learn(fromWaiting time: Duration) {
    if time <= Self.longest {
      duration = min(duration * 2, Self.longest)
    } else {
      duration = max(duration / 2, Self.shortest)
    }
  }
}
