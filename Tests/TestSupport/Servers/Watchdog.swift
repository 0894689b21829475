package import Foundation
import StrataCore
import StrataTestKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Kills the servers that this process has started when the process ends, for whatever reason.
///
/// A shell reads from a pipe whose only writer is this process. At the end of the pipe it kills all processes that were
/// registered and not removed.
package final class Watchdog: Sendable {
  package static let shared = Watchdog()

  private let input: Locked<Int32>

  private init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe for the watchdog of the tests: errno \(errno)")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let script = """
      trap '' INT TERM HUP
      all=' '
      while read -r word process; do
        case $word in
          watch) all="$all$process " ;;
          leave) all="${all%% $process *} ${all#* $process }" ;;
        esac
      done
      for process in $all; do
        # A server that is stopped hears nothing.
        kill "-${process%:*}" "${process#*:}" && kill -CONT "${process#*:}"
      done
      """
    do {
      _ = try spawn(["/bin/sh", "-c", script], input: ends[0], output: nil)
    } catch {
      preconditionFailure("no watchdog for the tests: \(error)")
    }
    close(ends[0])
    input = Locked(ends[1])
  }

  /// Registers a process, with the signal that ends it. `leave` must be called with the same signal.
  package func watch(_ process: pid_t, ending signal: Int32 = SIGKILL) {
    tell("watch \(signal):\(process)\n")
  }
  package func leave(_ process: pid_t, ending signal: Int32 = SIGKILL) {
    tell("leave \(signal):\(process)\n")
  }

  private func tell(_ line: String) {
    // The text is short enough for an atomic write to the pipe, and there is no other writer.
    let written = input.withLock { input in
      Array(line.utf8).withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }
    precondition(written == line.utf8.count, "the watchdog of the tests is gone: errno \(errno)")
  }
}

/// Starts a program without inheriting other open files. Its output is appended to a file, or discarded.
package func spawn(_ words: [String], input: Int32? = nil, output: URL?) throws -> pid_t {
  let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
  let log = output.map {
    open($0.path(percentEncoded: false), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
  }
  defer { for file in [nothing, log ?? -1] where file >= 0 { close(file) } }
  return try spawn(
    words, environment: ProcessInfo.processInfo.environment,
    files: [(input ?? nothing, 0), (log ?? nothing, 1), (log ?? nothing, 2)])
}

/// A server or program of the tests that could not be started.
package struct CannotStart: Error {
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
