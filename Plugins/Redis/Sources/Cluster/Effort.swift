/// The time limit of a call, including all of its attempts.
struct Effort {
  let end: ContinuousClock.Instant
  private let timeout: Duration
  private var pauses = 0
  private var turns = 0

  init(_ timeout: Duration) { self.init(timeout, until: .now + timeout) }

  init(_ timeout: Duration, until end: ContinuousClock.Instant) {
    self.timeout = timeout
    self.end = end
  }

  /// The remaining time.
  var left: Duration { max(end - .now, .zero) }

  /// Returns the time limit of one attempt: all that remains, or at most half of the timeout if another attempt is
  /// possible.
  func share(isLast: Bool) -> Duration { isLast ? left : min(left, timeout / 2) }

  /// Waits a little, longer each time. Returns `false` if there is no time for that.
  ///
  /// The delays are randomized, so that many callers do not all continue at once.
  mutating func pause() async throws -> Bool {
    let longest = Duration.milliseconds(5) * (1 << min(pauses, 6))
    let wait = longest * Double.random(in: 0.5...1)
    guard wait < left else { return false }
    pauses += 1
    try await Task.sleep(for: wait)
    return true
  }

  /// Permits a redirection: the first ones at once, later ones after a pause. Returns `false` if there is no time for
  /// that.
  mutating func turn() async throws -> Bool {
    turns += 1
    return turns > 3 ? try await pause() : left > .zero
  }
}
