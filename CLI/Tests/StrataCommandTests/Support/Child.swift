import Foundation

/// A process that a test starts, in place of Foundation's `Process`, whose `run()` sometimes crashes.
struct Child {
  let process: pid_t

  /// Starts a program in a folder, with no signals blocked.
  ///
  /// - Parameters:
  ///   - files: The paths of the program's standard input, output and error, with the flags to open them.
  ///   - isSession: Whether the program starts a new session, so that a terminal among the files controls it.
  init(
    _ words: [String], in place: String, _ environment: [String: String],
    files: [(path: String, flags: CInt)], isSession: Bool = false
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in files.enumerated() {
      posix_spawn_file_actions_addopen(&actions, CInt(number), file.path, file.flags, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // 0x80 is POSIX_SPAWN_SETSID, which Glibc hides from Swift.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | (isSession ? 0x80 : 0))
    let words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", place] + words
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, words[0], &actions, &attributes, arguments, variables)
    if failure != 0 { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    process = child
  }

  func send(_ signal: CInt) { kill(process, signal) }
}
