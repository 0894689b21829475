#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// Starts a program, searched in `PATH`, and returns its process number.
///
/// For each of `files`, the program gets `file` as its descriptor `number`; descriptors opened with close-on-exec are
/// not inherited. Foundation's `Process` is not used because it can crash on Linux when many are started at the same
/// time.
/// - Throws: ``SpawnFailure``, if the program cannot be started.
package func spawn(
  _ words: [String], environment: [String: String], files: [(file: CInt, number: CInt)]
) throws -> pid_t {
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
  // Threads of the runtime block signals, which the new program would inherit. Only `SIGKILL` could then end it.
  var noSignals = sigset_t()
  sigemptyset(&noSignals)
  posix_spawnattr_setsigmask(&attributes, &noSignals)
  #if canImport(Darwin)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT))
  #else
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  #endif
  for (file, number) in files { posix_spawn_file_actions_adddup2(&actions, file, number) }
  var arguments = words.map { strdup($0) } + [nil]
  var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { (arguments + settings).forEach { free($0) } }
  var process = pid_t()
  let status = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &settings)
  guard status == 0 else { throw SpawnFailure(program: words[0], number: status) }
  return process
}

/// Sends a signal to a process that was started here. Returns whether the process still existed.
@discardableResult
package func send(_ signal: CInt, to process: pid_t) -> Bool { kill(process, signal) == 0 }

/// A program that could not be started, with the system's error number.
package struct SpawnFailure: Error, CustomStringConvertible {
  package let program: String
  package let number: CInt

  package var description: String { "\(program) cannot be started: \(String(cString: strerror(number)))" }
}
