/// The pauses between the attempts of a request. Each is up to twice as long as the previous one, and randomized, so
/// that the clients of a busy server do not all retry at the same moment.
struct RetryDelay: Sendable {
  private static let shortest = 0.1
  private static let longest = 20.0

  private(set) var attempts = 1

  /// Returns the pause before the next attempt: a random time between half of the current maximum and all of it, or
  /// longer if the server demands it (`Retry-After`).
  mutating func next(
    demanded: Duration = .zero, using random: inout some RandomNumberGenerator
  ) -> Duration {
    let whole = min(Self.shortest * Double(1 << min(attempts - 1, 10)), Self.longest)
    attempts += 1
    let own = Duration.seconds(Double.random(in: whole / 2...whole, using: &random))
    return max(own, min(demanded, .seconds(Self.longest)))
  }
}
