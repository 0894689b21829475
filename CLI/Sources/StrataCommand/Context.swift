import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The context of a running command: its arguments, the environment, the output and the terminal.
struct Context {
  let invocation: Invocation
  let output: Output
  let terminal: Terminal
  let environment: [String: String]
  let skipped: Skipped

  init(_ invocation: Invocation, environment: [String: String]) throws(Failure) {
    self.invocation = invocation
    self.environment = environment
    if invocation.has("json"), invocation.has("jsonl") {
      throw .usage("--json and --jsonl exclude each other: give one of them")
    }
    let form: Output.Form = invocation.has("json") ? .json : invocation.has("jsonl") ? .jsonLines : .text
    output = Output(form: form, isQuiet: invocation.has("quiet"))
    skipped = Skipped(isStrict: invocation.has("strict"), isJSON: form != .text)
    terminal = Terminal(environment: environment, colour: invocation.text("color"))
  }

  /// Whether data goes to a terminal as text, and not to a program.
  var isForPerson: Bool { terminal.hasOutput && output.form == .text }

  // MARK: Stores

  /// Opens the store whose address is the argument with this name.
  func open(_ argument: String, _ access: OpenRequest.Access = .read) throws -> OpenStore {
    try Backends.open(invocation.required(argument), request(access))
  }

  func request(_ access: OpenRequest.Access) -> OpenRequest {
    OpenRequest(
      access: access, timeout: invocation.seconds("timeout"),
      secrets: Secrets(
        keyFile: invocation.text("key-file"), passwordFile: invocation.text("password-file"),
        environment: environment, mayAsk: terminal.hasInput && terminal.hasErrors),
      skipped: skipped)
  }

  // MARK: Long commands

  /// Makes Control-C end the command at its next `checkpoint`, and not in the middle of a write.
  func watchSignals() { Signals.watch() }

  /// Throws if the command was interrupted. `state` is the message about the progress so far.
  func checkpoint(_ state: @autoclosure () -> String) throws(Interrupted) { try Signals.check(state()) }

  /// Waits for a number of seconds. Throws like `checkpoint` if the command is interrupted meanwhile.
  func pause(_ seconds: Double, _ state: () -> String) async throws {
    let end = Self.seconds() + seconds
    while true {
      try checkpoint(state())
      let left = end - Self.seconds()
      if left <= 0 { return }
      try await Task.sleep(for: .seconds(min(left, 0.05)))
    }
  }

  /// Returns a line of progress. The line stays empty if standard error is not a terminal, and with --quiet.
  func progress(_ verb: String, total: Int? = nil) -> Progress {
    let isShown = terminal.hasErrors && !output.isQuiet
    return Progress(verb, total: total, now: Self.seconds) { if isShown { Output.putError($0) } }
  }

  /// Returns a line of the progress in bytes.
  func byteProgress(_ verb: String, total: Int?, isShown: Bool = true) -> Progress {
    let isShown = isShown && showsProgress
    return Progress(verb, total: total, now: Self.seconds) { if isShown { Output.putError($0) } }
  }

  /// Whether progress is shown. If not, commands need not count the entries first.
  var showsProgress: Bool { terminal.hasErrors && !output.isQuiet }

  /// Returns the seconds of a clock that never goes back.
  static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Expiry

  /// Returns the expiry of --in, --at or --never, or `nil` if none of them is given.
  func expiry() throws(Failure) -> Expiry? {
    let options = [invocation.text("in"), invocation.text("at")].compactMap { $0 }
    if options.count + (invocation.has("never") ? 1 : 0) > 1 {
      throw .usage("only one of --in, --at and --never can be given")
    }
    if invocation.has("never") { return .never }
    if let seconds = invocation.seconds("in") { return .date(Date().addingTimeInterval(seconds)) }
    guard let text = invocation.text("at") else { return nil }
    guard let date = Timestamp.date(text) else {
      throw .usage("--at must be a date such as 2030-01-31 or 2030-01-31T23:59:59Z (UTC), and not “\(text)”")
    }
    return .date(date)
  }

  /// Asks the question, and throws unless the answer is yes. Without a terminal it throws too, unless --yes is given.
  func confirm(_ question: String) throws(Failure) {
    if invocation.has("yes") { return }
    guard terminal.hasInput, terminal.hasErrors else {
      throw Failure(
        .refused, "refused", "nothing was done: without a terminal the command cannot ask",
        advice: "give --yes to do it without a question")
    }
    if !Prompt.confirms(question) { throw Failure(.refused, "refused", "nothing was done") }
  }
}

extension Expiry {
  /// The date of expiry, or `nil` for never.
  var end: Date? { if case .date(let date) = self { date } else { nil } }

  /// The date of expiry in JSON, or null for never. So far away that `Timestamp` prints no date, it is never, too.
  var json: JSON {
    guard let end else { return .null }
    let text = Timestamp.text(end)
    return text == Timestamp.never ? .null : .text(text)
  }

  /// The date of expiry as text, or “never”.
  var text: String { end.map(Timestamp.text) ?? "never" }

  /// Returns whether both expiries are the same to the millisecond, the coarsest resolution of a backend.
  func isSame(as other: Expiry) -> Bool {
    switch (end, other.end) {
    case (nil, nil): true
    case (let one?, let other?): abs(one.timeIntervalSince(other)) < 0.002
    default: false
    }
  }
}
