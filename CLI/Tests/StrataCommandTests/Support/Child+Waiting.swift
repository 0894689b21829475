import Foundation

@testable import StrataCommand

extension Running {
  /// Waits for the end of the command, and returns the largest number of bytes that it had in memory. Throws unless its
  /// status is 0.
  ///
  /// The system's own figure would include the memory of the test's process, from which it was started.
  func peak() throws -> Int {
    var peak = 0
    var status: CInt = 0
    while waitpid(child.process, &status, WNOHANG) == 0 {
      // A process that has ended is there until it is waited for, but has no memory any more.
      let lines = try String(contentsOfFile: "/proc/\(child.process)/status", encoding: .utf8)
      let line = lines.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      peak = max(peak, (Int(line.filter(\.isNumber)) ?? 0) * 1024)
      usleep(500)
    }
    let said = try String(contentsOf: errors, encoding: .utf8)
    for file in [output, errors] { unlink(file.path) }
    if status != 0 { throw Failure(.failed, "failed", "status \(status): \(said)") }
    if peak == 0 { throw Failure(.failed, "failed", "the process has ended before its memory could be read") }
    return peak
  }
}

extension Child {
  /// The number of seconds that a process may take: 20, or an hour for the million entries of a soak.
  static let patience = Soak.isRunning ? 3600.0 : 20

  /// Waits for the end of the process, and kills it after `patience`. Returns the status as a shell does: 128 and the
  /// signal if one ended the process.
  func wait() -> CInt {
    let limit = DispatchWorkItem { [process] in kill(process, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: limit)
    var status: CInt = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    limit.cancel()
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }

  /// Returns whether the process has ended. If so, do not wait for it.
  func hasEnded() -> Bool {
    var status: CInt = 0
    return waitpid(process, &status, WNOHANG) == process
  }
}
