/// Decides whether appends are short enough for a thread that must not block.
///
/// The system suspends a thread that writes faster than its disk. After an append that took longer than the budget, the
/// next 16 are left to threads that may block, and twice as many after each further slow one, up to 1 024.
struct AppendPace: Sendable {
  static let budget = Duration.milliseconds(1)
  static let pauses = 16...1024

  /// The number of appends that are still left to threads that may block.
  private var left = 0
  private var pause = Self.pauses.lowerBound

  /// Returns whether the next append may be made on this thread. If not, counts it as left to another thread.
  mutating func allowsAppend() -> Bool {
    if left == 0 { return true }
    left -= 1
    return false
  }

  /// Records the duration of an append.
  mutating func note(_ duration: Duration) {
    guard duration > Self.budget else { return pause = Self.pauses.lowerBound }
    left = pause
    pause = min(2 * pause, Self.pauses.upperBound)
  }
}
