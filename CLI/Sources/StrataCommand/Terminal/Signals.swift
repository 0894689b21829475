#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// Interrupts long commands by SIGINT (Control-C) and SIGTERM.
enum Signals {
  private static let received = Atomic<Int32>(0)

  /// Makes the first signal only set `pending`, so that the command ends between two steps. A second signal ends the
  /// process at once.
  static func watch() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Signals.received.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  /// Undoes `watch`: a signal ends the process at once again.
  static func unwatch() {
    received.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }

  /// The signal that was received since `watch`, or `nil`.
  static var pending: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Throws if a signal was received.
  static func check(_ state: @autoclosure () -> String) throws(Interrupted) {
    if let number = pending { throw Interrupted(signal: number, state: state()) }
  }
}

/// The error that ends a long command between two steps after a signal.
struct Interrupted: Error {
  let signal: Int32
  /// The message: the progress so far, and how to continue.
  let state: String
}
