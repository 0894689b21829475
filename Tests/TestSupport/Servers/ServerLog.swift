package import Foundation
import StrataTestKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The output of a server that the tests start.
package struct ServerLog: Sendable {
  private let file: URL

  package init(_ file: URL) { self.file = file }

  /// The server's output since its last start.
  package var text: String {
    do { return String(decoding: try Data(contentsOf: file), as: UTF8.self) } catch {
      return "nothing (\(error))"
    }
  }

  /// Starts a server, and waits until its output contains a text. `signal` ends it if this process dies.
  ///
  /// Returns the process, or `nil` if it ended at once because the port is in use.
  package func start(_ words: [String], until sign: String, ending signal: Int32 = SIGKILL) throws -> pid_t? {
    try Data().write(to: file)
    // The watchdog exists before any process is started, since a process could inherit the watchdog's pipe.
    let watchdog = Watchdog.shared
    let process = try spawn(words, output: file)
    watchdog.watch(process, ending: signal)
    let end = ContinuousClock.now + .seconds(60)
    while !text.contains(sign) {
      var status: Int32 = 0
      let isOver = waitpid(process, &status, WNOHANG) == process
      if isOver || ContinuousClock.now > end {
        if !isOver {
          send(SIGKILL, to: process)
          waitpid(process, &status, 0)
        }
        watchdog.leave(process, ending: signal)
        if isOver, text.contains("Address already in use") { return nil }
        let fate = isOver ? "ended" : "was not ready in a minute"
        throw CannotStart(reason: "\(words.joined(separator: " ")) \(fate). It said: \(text)")
      }
      usleep(1000)
    }
    return process
  }

  /// Ends a server by a signal, and waits for it. `watched` is the signal that was given to `start`.
  package static func end(_ process: pid_t, by signal: Int32, watched: Int32 = SIGKILL) {
    send(signal, to: process)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    Watchdog.shared.leave(process, ending: watched)
  }
}
