import CommandTable
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The command `strata`: reads, changes, copies and measures stores.
@main
enum Program {
  static func main() async {
    // The parent process may have blocked signals, which children inherit.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    // A reader such as head may end early. Without the signal, writing to it throws `BrokenPipe`.
    signal(SIGPIPE, SIG_IGN)
    Heap.share()
    exit(await run(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment))
  }

  /// Runs a command line. Prints an error if it fails, and returns the exit status.
  static func run(_ words: [String], _ environment: [String: String]) async -> Int32 {
    do {
      switch try Verb.table.parse(words, environment: environment) {
      case .version: return try printed(Verb.table.version + "\n")
      case .help(let command):
        let width = Terminal(environment: environment, colour: nil).columns
        return try printed(
          command.map { Verb.table.help(of: $0, width: width) } ?? Verb.table.help(width: width))
      case .run(let invocation): return try await run(invocation, environment)
      }
    } catch {
      return end(
        error, Terminal(environment: environment, colour: nil),
        isJSON: words.contains("--json") || words.contains("--jsonl"))
    }
  }

  private static func run(_ invocation: Invocation, _ environment: [String: String]) async throws -> Int32 {
    guard let verb = Verb.all.first(where: { $0.command.name == invocation.command.name }) else { return 1 }
    let context = try Context(invocation, environment: environment)
    do { try await verb.run(context) } catch {
      // The output before the failure is correct, so it is not dropped.
      try context.output.flush()
      throw error
    }
    try context.output.endRecords()
    try context.output.flush()
    if verb.command.options.contains(where: { $0.name == "strict" }), let failure = context.skipped.failure {
      throw failure
    }
    return 0
  }

  private static func printed(_ text: String) throws -> Int32 {
    let output = Output(form: .text, isQuiet: false)
    try output.write(text)
    try output.flush()
    return 0
  }

  /// Prints an error, and returns its exit status.
  private static func end(_ error: any Error, _ terminal: Terminal, isJSON: Bool) -> Int32 {
    switch error {
    case is BrokenPipe: return ExitCode.brokenPipe.rawValue
    case let interruption as Interrupted:
      Output.complain("strata: interrupted: \(interruption.state)")
      return 128 + interruption.signal
    case let end as CommandEnd: return end.code.rawValue
    default:
      let failure = Failure(error)
      Output.complain(isJSON ? failure.json.compact : terminal.wrapped(failure.text))
      return failure.code.rawValue
    }
  }
}

/// Ends a command that has printed its result with an exit status other than 0, without a message.
struct CommandEnd: Error {
  let code: ExitCode
}
