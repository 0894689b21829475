/// The description of a command for the parser, the help, the manual page and the completions.
package struct Command: Sendable {
  /// The word that selects the command.
  package let name: String
  /// The effect of the command, in one line without a full stop.
  package let summary: String
  /// Further details for the help, in paragraphs divided by empty lines; may be empty.
  package let details: String
  /// The positional arguments in their order. Only the last one may be optional or repeated.
  package let arguments: [Argument]
  /// The options of this command alone.
  package let options: [Option]
  /// Whether the help and the completions omit the command.
  package let isHidden: Bool

  /// Creates the description of a command.
  package init(
    _ name: String, _ summary: String, details: String = "", arguments: [Argument] = [],
    options: [Option] = [],
    isHidden: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.arguments = arguments
    self.options = options
    self.isHidden = isHidden
  }
}

/// The description of a positional argument.
package struct Argument: Sendable {
  /// The number of times that an argument may be given: once, at most once, any number of times, or at least once.
  package enum Count: Sendable { case one, optional, any, many }

  /// The name of the argument in the help, in capitals.
  package let name: String
  /// The meaning of the argument, in one line.
  package let help: String
  /// The number of times that the argument may be given.
  package let count: Count
  /// The words by which shells complete the argument.
  package let completion: Completion

  /// Creates the description of an argument.
  package init(_ name: String, _ help: String, count: Count = .one, completion: Completion = .none) {
    self.name = name
    self.help = help
    self.count = count
    self.completion = completion
  }

  /// The argument in a synopsis, such as `[KEY…]`.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .any: "[\(name)…]"
    case .many: "\(name)…"
    }
  }
}

/// The words by which a shell completes an argument or the value of an option.
package enum Completion: Sendable, Equatable {
  case none
  case file
  case words([String])
  /// By words of this kind, which the program's hidden command `__complete` prints.
  case program(String)
}
