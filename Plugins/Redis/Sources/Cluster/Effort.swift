/// The time that a call has for all that it tries.
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

  /// What is left of it.
  var left: Duration { max(end - .now, .zero) }

  /// How long one try may take: all that is left, or, if there can be another one, not all.
  func share(isLast: Bool) -> Duration { isLast ? left : min(left, timeout / 2) }

  /// Waits a little, and longer each time, for things to change; `false` if there is no time for that.
  ///
  /// The waits of many callers are spread, so that they do not all come back at once.
  mutating func pause() async throws -> Bool {
    let longest = Duration.milliseconds(5) * (1 << min(pauses, 6))
    let wait = longest * Double.random(in: 0.5...1)
    guard wait < left else { return false }
    pauses += 1
    try await Task.sleep(for: wait)
    return true
  }

  /// Goes another way, at once if it is one of the first times; `false` if there is no time for that.
  mutating func turn() async throws -> Bool {
    turns += 1
    return turns > 3 ? try await pause() : left > .zero
  }
}
