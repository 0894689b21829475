import Foundation
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ends the servers that this process has started when it dies, however it dies.
///
/// A shell reads from a pipe that only this process can write to: at its end it kills what has been named and not been taken back.
final class Watchdog: Sendable {
  static let shared = Watchdog()

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
      for process in $all; do kill -9 "$process"; done
      """
    do {
      _ = try spawn(["/bin/sh", "-c", script], input: ends[0], output: nil)
    } catch {
      preconditionFailure("no watchdog for the tests: \(error)")
    }
    close(ends[0])
    input = Locked(ends[1])
  }

  func watch(_ process: pid_t) { tell("watch \(process)\n") }
  func leave(_ process: pid_t) { tell("leave \(process)\n") }

  private func tell(_ line: String) {
    // Shorter than what a pipe takes as a whole; nobody else writes meanwhile.
    let written = input.withLock { input in
      Array(line.utf8).withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }
    precondition(written == line.utf8.count, "the watchdog of the tests is gone: errno \(errno)")
  }
}

/// Starts a program with no other open files than these; what it prints is appended to a file, or thrown away.
func spawn(_ arguments: [String], input: Int32? = nil, output: URL?) throws -> pid_t {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
  #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  #if canImport(Darwin)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
  #endif
  if let input {
    posix_spawn_file_actions_adddup2(&actions, input, 0)
  } else {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  }
  let log = output?.path(percentEncoded: false) ?? "/dev/null"
  posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
  posix_spawn_file_actions_adddup2(&actions, 1, 2)
  var words = arguments.map { strdup($0) } + [nil]
  defer { words.forEach { free($0) } }
  var process = pid_t()
  let status = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, environ)
  guard status == 0 else {
    throw CannotStart(reason: "\(arguments[0]) cannot be started: \(String(cString: strerror(status)))")
  }
  return process
}

/// A part of the tests that could not be made.
struct CannotStart: Error { let reason: String }
