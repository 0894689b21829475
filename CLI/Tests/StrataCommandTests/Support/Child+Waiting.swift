import Foundation

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
}
