#if canImport(Darwin)
  import Darwin
#else
  internal import CEpoll
  import Glibc
#endif

/// Decides which calls wait for their reply on their own thread.
///
/// Otherwise the reply wakes up the loop's thread, which wakes up a thread for the task: as much time as a server on
/// the same machine takes to reply. Blocking a thread of Swift's pool is acceptable only for such a short time, and if
/// no other call could use it. So a call that has waited in vain suspends, and later calls do not wait at all: first
/// one of them, then two, up to 64, until a reply comes in time again.
package struct OwnWait: Sendable {
  /// How long a thread may be blocked.
  package static let longest = Duration.microseconds(200)

  private var failures = 0
  private var skipped = 0

  package init() {}

  /// Returns whether the next call waits on its own thread. If so, `end` must be called.
  package mutating func begin() -> Bool {
    if skipped > 0 {
      skipped -= 1
      return false
    }
    return true
  }

  /// Records whether the reply came in time.
  package mutating func end(inTime: Bool) {
    failures = inTime ? 0 : min(failures + 1, 7)
    skipped = (1 << failures) >> 1
  }

  /// Blocks the thread until a socket is readable, or has failed, for at most this time. Returns whether it is.
  package static func isReadable(_ descriptor: CInt, within time: Duration) -> Bool {
    var socket = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    #if canImport(Darwin)
      // Darwin's `poll` has no timeout of less than a millisecond.
      return poll(&socket, 1, 0) > 0
    #else
      let (seconds, attoseconds) = max(time, .zero).components
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      return ppoll(&socket, 1, &time, nil) > 0
    #endif
  }
}
