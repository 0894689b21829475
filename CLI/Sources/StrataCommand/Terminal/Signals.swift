#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// The interruption of long commands by Control-C or a request to end.
enum Signals {
  private static let received = Atomic<Int32>(0)

  /// Makes the first signal only set a mark that `check` sees, so that a command ends between two steps. The second
  /// one ends the process at once.
  static func watch() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Signals.received.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  /// Lets signals end the process, as they do without `watch`.
  static func unwatch() {
    received.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }

  /// The signal that was received.
  static var pending: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Throws if a signal was received.
  static func check(_ state: @autoclosure () -> String) throws(Interrupted) {
    if let number = pending { throw Interrupted(signal: number, state: state()) }
  }
}

/// Thrown between two steps of a long command that was interrupted.
struct Interrupted: Error {
  let signal: Int32
  /// How far the command came, and how to go on.
  let state: String
}
