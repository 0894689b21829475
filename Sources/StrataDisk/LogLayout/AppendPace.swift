/// Whether appends are short enough for a thread that must not block.
///
/// The system holds up whoever writes more than its disk takes. After an append that took longer than the budget, the
/// next ones are left to threads that may block: 16, and twice as many after each further one that takes as long, up to
/// 1024.
struct AppendPace: Sendable {
  static let budget = Duration.milliseconds(1)
  static let pauses = 16...1024

  /// How many appends are still left to others.
  private var left = 0
  private var pause = Self.pauses.lowerBound

  /// Whether the next append may be made here; counts it if not.
  mutating func allowsAppend() -> Bool {
    if left == 0 { return true }
    left -= 1
    return false
  }

  /// Takes into account how long an append has taken.
  mutating func note(_ duration: Duration) {
    guard duration > Self.budget else { return pause = Self.pauses.lowerBound }
    left = pause
    pause = min(2 * pause, Self.pauses.upperBound)
  }
}
