/// A command of a program, as its help, its manual page, its completions and its parser see it.
package struct Command: Sendable {
  /// The word that selects the command.
  package let name: String
  /// The effect, in one line without a full stop.
  package let summary: String
  /// Details beyond the summary, in paragraphs; may be empty.
  package let details: String
  /// The positional arguments, in their order. Only the last may repeat or be missing.
  package let arguments: [Argument]
  /// The options, beside those of the whole program.
  package let options: [Option]
  /// Whether help and completions leave the command out.
  package let isHidden: Bool

  /// Describes a command.
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

/// A positional argument.
package struct Argument: Sendable {
  /// How often an argument is given.
  package enum Count: Sendable { case one, optional, any, many }

  /// The placeholder in the help, in capitals.
  package let name: String
  /// The meaning, in one line.
  package let help: String
  /// How often the argument is given.
  package let count: Count
  /// The completion in shells.
  package let completion: Completion

  /// Describes an argument.
  package init(_ name: String, _ help: String, count: Count = .one, completion: Completion = .none) {
    self.name = name
    self.help = help
    self.count = count
    self.completion = completion
  }

  /// The argument as a synopsis shows it.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .any: "[\(name)…]"
    case .many: "\(name)…"
    }
  }
}

/// The words that a shell offers as an argument, or as the value of an option.
package enum Completion: Sendable, Equatable {
  case none
  case file
  case words([String])
  /// The words that the program itself prints when it is asked for this kind.
  case program(String)
}
