import CFaults
import Glibc

/// A fault that occurs at one system call. Each round of a scenario has it at the next call.
struct Fault {
  let name: String
  let kinds: Int
  let action: Int
  var error: CInt = 0
  /// Whether all later calls of these kinds fail too, as on a full or broken disk.
  var goesOn = false
  /// Replaces the faulty call by a limit on the length of files, which grows by this many bytes each round.
  var fileSizeStep: Int?

  var kills: Bool { action == FAULTS_KILL || action == FAULTS_KILL_HALFWAY }

  /// Whether the error only means that the call must be repeated, so that the store must succeed in spite of the fault.
  var isInvisible: Bool { action == FAULTS_SHORTEN || error == EINTR }

  private static let changing =
    FAULTS_WRITE | FAULTS_TRUNCATE | FAULTS_SYNC | FAULTS_RENAME | FAULTS_UNLINK | FAULTS_MKDIR | FAULTS_LINK

  static let all = [
    // Calls that change nothing need no rounds of their own: a kill before such a call leaves the same files as a kill
    // after the last change.
    Fault(
      name: "kill", kinds: changing | FAULTS_OPEN | FAULTS_MAP | FAULTS_LOCK | FAULTS_STORE,
      action: FAULTS_KILL),
    Fault(name: "kill halfway", kinds: FAULTS_WRITE, action: FAULTS_KILL_HALFWAY),
    failing(
      "ENOSPC", ENOSPC,
      FAULTS_WRITE | FAULTS_TRUNCATE | FAULTS_OPEN | FAULTS_RENAME | FAULTS_MKDIR | FAULTS_LINK),
    failing("EIO on read", EIO, FAULTS_READ | FAULTS_LIST | FAULTS_STATUS | FAULTS_OPEN),
    failing("EIO on write", EIO, FAULTS_WRITE | FAULTS_TRUNCATE | FAULTS_CLOSE),
    failing("EIO on sync", EIO, FAULTS_SYNC),
    failing("EIO on rename", EIO, FAULTS_RENAME | FAULTS_UNLINK | FAULTS_LINK | FAULTS_MKDIR),
    failing("EMFILE", EMFILE, FAULTS_OPEN | FAULTS_DUPLICATE),
    failing("ENOMEM", ENOMEM, FAULTS_MAP),
    failing("ENOLCK", ENOLCK, FAULTS_LOCK),
    failing(
      "EINTR", EINTR, FAULTS_READ | FAULTS_WRITE | FAULTS_OPEN | FAULTS_SYNC | FAULTS_LOCK | FAULTS_TRUNCATE),
    Fault(name: "file size", kinds: 0, action: FAULTS_FAIL, error: EFBIG, fileSizeStep: 1500),
    Fault(name: "killed by file size", kinds: 0, action: FAULTS_KILL, fileSizeStep: 1500),
    Fault(name: "short", kinds: FAULTS_READ | FAULTS_WRITE, action: FAULTS_SHORTEN),
  ].flatMap { $0.variants }

  private static func failing(_ name: String, _ error: CInt, _ kinds: Int) -> Fault {
    Fault(name: name, kinds: kinds, action: FAULTS_FAIL, error: error)
  }

  private var variants: [Fault] {
    // A call that is interrupted each time would be repeated for ever.
    if kills || error == EINTR || fileSizeStep != nil { return [self] }
    return [self, Fault(name: "\(name), for good", kinds: kinds, action: action, error: error, goesOn: true)]
  }
}
